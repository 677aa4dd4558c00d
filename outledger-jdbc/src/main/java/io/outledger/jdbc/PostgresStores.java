// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.time.Duration;
import javax.sql.DataSource;

/** Makes the stores of relays over one data source and schema. Thread-safe. */
final class PostgresStores {

  /**
   * How long one cursor row a second is kept, so that it can be said by when was published what.
   */
  static final Duration CURSOR_RETENTION = Duration.ofDays(7);

  private final DataSource dataSource;
  private final Tables tables;

  PostgresStores(DataSource dataSource, Tables tables) {
    this.dataSource = dataSource;
    this.tables = tables;
  }

  /**
   * Makes the store of one relay, without I/O. It keeps one connection of the data source as long
   * as it is open.
   *
   * @param subscription the subscription's name
   * @param start where it starts when it is made
   * @param lease how long the relay's lease is
   */
  RelayStore relayStore(String subscription, Start start, Duration lease) {
    CursorKey key = new CursorKey(subscription, 0);
    return new PostgresRelayStore(
        dataSource, tables, new Subscription(key, start, lease), CURSOR_RETENTION);
  }
}
