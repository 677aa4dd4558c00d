// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.StatusStore;
import java.sql.Connection;
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
      MERGE INTO {schema}.outledger_status
             (subscription, partition, instance, incarnation, state, reason, since)
        KEY (subscription, partition, instance)
      SELECT CAST(? AS VARCHAR), CAST(? AS INTEGER), CAST(? AS VARCHAR), CAST(? AS UUID),
             CAST(? AS VARCHAR), CAST(? AS VARCHAR),
             DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)\
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
                           ORDER BY old.since DESC, old.instance OFFSET ? ROWS)\
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
        "writing the status of relays",
        connection -> {
          for (Entry entry : entries) {
            write(connection, entry);
          }
          return entries.size();
        });
  }

  private void write(Connection connection, Entry entry) throws SQLException {
    String subscription = entry.key().subscription();
    int partition = entry.key().partition();
    RelayStatus status = entry.status();
    if (status.state() == RelayStatus.State.STOPPED && "".equals(status.reason())) {
      Sql.of(connection, tables.in(REMOVE), subscription, partition, entry.instance()).update();
      return;
    }
    Sql.of(
            connection,
            tables.in(PUT),
            subscription,
            partition,
            entry.instance(),
            status.incarnation(),
            status.state().name().toLowerCase(Locale.ROOT),
            status.reason(),
            -entry.age().toMillis())
        .update();
    Sql.of(
            connection,
            tables.in(FORGET),
            subscription,
            partition,
            subscription,
            partition,
            INSTANCES_MAX)
        .update();
  }
}
