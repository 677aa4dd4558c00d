// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
