// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** The sum of docs/append.md. */
class PoolSizeTest {

  @Test
  void relaysAndReceiversTakeTwoEachHandlersOneForEachMessageAndOneIsToSpare() {
    assertThat(new PoolSize.Needs(0, 0, 0).all()).isEqualTo(1);
    assertThat(new PoolSize.Needs(3, 0, 0).all()).isEqualTo(7);
    assertThat(new PoolSize.Needs(1, 8, 0).all()).isEqualTo(11);
    assertThat(new PoolSize.Needs(2, 4, 3).all()).isEqualTo(15);
  }

  @Test
  void onlyWhatThereIsIsNamed() {
    assertThat(new PoolSize.Needs(1, 0, 1))
        .hasToString("1 relay takes up to two, 1 receiver takes up to two");
    assertThat(new PoolSize.Needs(2, 4, 0))
        .hasToString("2 relays take up to two each, handlers work with up to 4 at a time");
  }

  /** A partition without a connection would wait for ever, and its keys with it. */
  @Test
  void aPoolOfRelaysHasAConnectionForEachPartitionAndOneForTheirStatus() {
    try (HikariDataSource pool = new HikariDataSource()) { // not started: only its size is read
      pool.setMaximumPoolSize(13);
      PoolSize.checkOfRelays(pool, 12);
      pool.setMaximumPoolSize(12);
      assertThatThrownBy(() -> PoolSize.checkOfRelays(pool, 12))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("has 12 connections", "keep 12", "maximum-pool-size to 13");
    }
    PoolSize.checkOfRelays(new SimpleDriverDataSource(), 64); // no pool
  }
}
