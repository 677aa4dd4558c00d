// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/**
 * A task's pool. The pull keeps one connection; requests, scheduled messages and the slots' leases
 * take one each second for a moment, and a login costs more than all they ask.
 */
final class TaskPool {

  private static final int SIZE_MAX = 10;
  // Longer than the second after which each looks again; the least that the pool takes.
  private static final Duration IDLE_MAX = Duration.ofSeconds(10);
  // What a task that is stopped may have to wait for. A login that takes longer goes on, and its
  // connection is there for the next who asks.
  private static final Duration CONNECT_MAX = Duration.ofSeconds(1);
  private static final Duration VALIDATION_MAX = Duration.ofMillis(500);
  // Where an address has moved to another server, what looks each second follows soon. The pull's
  // own is not closed while it is in use.
  private static final Duration LIFE_MAX = Duration.ofMinutes(1);

  private TaskPool() {}

  /**
   * Opens a pool, and no connection. One that cannot be had is waited for, for a second.
   *
   * @param database what it opens connections of
   * @return the pool, to be closed by the caller
   */
  static HikariDataSource of(DriverDataSource database) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("outledger-connect");
    config.setDataSource(database);
    config.setJdbcUrl(database.url()); // only to know the driver by, for what it must go round
    config.setInitializationFailTimeout(-1);
    config.setMinimumIdle(0);
    config.setMaximumPoolSize(SIZE_MAX);
    config.setMaxLifetime(LIFE_MAX.toMillis());
    config.setKeepaliveTime(0);
    config.setIdleTimeout(IDLE_MAX.toMillis());
    config.setConnectionTimeout(CONNECT_MAX.toMillis());
    config.setValidationTimeout(VALIDATION_MAX.toMillis());
    return new HikariDataSource(config);
  }
}
