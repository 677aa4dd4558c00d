// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.postgresql.OwnTransaction.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** The table in which relays announce what they are doing. */
final class StatusTable implements StatusStore {

  /** More instances than that of one subscription are forgotten, the oldest first. */
  private static final int INSTANCES_MAX = 100;

  // All: ranges of the primary key, which hold a row for each instance.
  private static final String PUT =
      """
      INSERT INTO {schema}.outledger_status
             (subscription, partition, instance, incarnation, state, reason, since)
      VALUES (?, ?, ?, ?, ?, ?, clock_timestamp() - ?::bigint * interval '1 millisecond')
      ON CONFLICT (subscription, partition, instance) DO UPDATE
         SET incarnation = excluded.incarnation, state = excluded.state,
             reason = excluded.reason, since = excluded.since\
      """;
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_status
       WHERE subscription = ? AND partition = ? AND instance = ?\
      """;

  // Of those that crashed nobody else says that they are gone.
  private static final String FORGET =
      """
      DELETE FROM {schema}.outledger_status
       WHERE subscription = ? AND partition = ?
         AND instance IN (SELECT old.instance FROM {schema}.outledger_status old
                           WHERE old.subscription = ? AND old.partition = ?
                           ORDER BY old.since DESC, old.instance OFFSET ?)\
      """;

  private final DataSource dataSource;
  private final Tables tables;

  StatusTable(DataSource dataSource, Tables tables) {
    this.dataSource = dataSource;
    this.tables = tables;
  }

  @Override
  public void write(List<Entry> entries) {
    OwnTransaction.run(
        dataSource,
        Kind.CHANGES,
        "writing the status of relays",
        connection -> {
          for (Entry entry : entries) {
            write(connection, entry);
          }
          return entries.size();
        });
  }

  private void write(Connection connection, Entry entry) throws SQLException {
    CursorKey key = entry.key();
    String instance = entry.instance();
    RelayStatus status = entry.status();
    if (status.state() == RelayStatus.State.STOPPED && "".equals(status.reason())) {
      try (PreparedStatement statement = connection.prepareStatement(tables.in(REMOVE))) {
        statement.setString(key.bind(statement, 1), instance);
        statement.executeUpdate();
      }
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(tables.in(PUT))) {
      int at = key.bind(statement, 1);
      statement.setString(at++, instance);
      statement.setObject(at++, status.incarnation());
      statement.setString(at++, status.state().name().toLowerCase(Locale.ROOT));
      statement.setString(at++, status.reason());
      statement.setLong(at, entry.age().toMillis());
      statement.executeUpdate();
    }
    try (PreparedStatement statement = connection.prepareStatement(tables.in(FORGET))) {
      statement.setInt(key.bind(statement, key.bind(statement, 1)), INSTANCES_MAX);
      statement.executeUpdate();
    }
  }
}
