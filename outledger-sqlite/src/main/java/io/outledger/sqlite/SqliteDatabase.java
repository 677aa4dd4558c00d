// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.AdminSql;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.spi.KeyLocks;
import io.outledger.jdbc.spi.LedgerAppender;
import io.outledger.jdbc.spi.LedgerSchema;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RowAddress;
import io.outledger.jdbc.spi.TransactionBounds;
import io.outledger.jdbc.sql.DatabaseBySql;
import io.outledger.jdbc.sql.RelayStoreBySql;
import io.outledger.jdbc.sql.SchemaBySql;
import io.outledger.store.RelayStore;
import java.sql.Connection;
import javax.sql.DataSource;

/** Every promise, as SQLite keeps it, for the tables of one file. */
final class SqliteDatabase extends DatabaseBySql {

  /** Who changes something has the lock for writers, and so for every row. */
  private static final String NO_LOCK = "";

  static final RowAddress ROWS =
      new RowAddress(NO_LOCK, "CAST(p.rowid AS TEXT)", "rowid = CAST(? AS INTEGER)");

  private static final String IF_NAME_IS_FREE =
      " ON CONFLICT (name) WHERE name IS NOT NULL DO NOTHING";

  private static final String PUT_STATUS =
      """
      INSERT INTO {schema}.outledger_status
             (subscription, partition_no, instance, incarnation, state, reason, causes, since)
      VALUES (?, ?, ?, ?, ?, ?, ?, {now} - CAST(? AS INTEGER) * 1000)
          ON CONFLICT (subscription, partition_no, instance) DO UPDATE
         SET incarnation = excluded.incarnation, state = excluded.state, reason = excluded.reason,
             causes = excluded.causes, since = excluded.since\
      """;

  // It keeps no history of when messages were published, and does not say what a table takes.
  private static final AdminSql ADMIN_READS =
      new AdminSql(
          "SELECT c.page_count * s.page_size FROM pragma_page_count() c, pragma_page_size() s",
          LedgerTexts.LEDGER.lastNumber(),
          "substr(%s, 1, CAST(? AS INTEGER))",
          "instr(COALESCE(%s, ''), ?) > 0",
          LedgerTexts.LEDGER.appended(),
          "%s",
          """
          SELECT s.subscription, s.partition_no, NULL, FALSE
            FROM {schema}.outledger_subscription s WHERE ? > 0\
          """,
          """
          SELECT o.first_position, o.last_position
            FROM (SELECT s.subscription, s.partition_no,
                         json_extract(r.value, '$[0]') AS first_position,
                         json_extract(r.value, '$[1]') AS last_position
                    FROM {schema}.outledger_subscription s, json_each(s.open_ranges) r
                  UNION ALL
                  SELECT h.subscription, h.partition_no, h.first_position, h.last_position
                    FROM {schema}.outledger_hole h) o
           WHERE o.subscription = ? AND o.partition_no = ?
           ORDER BY o.first_position LIMIT ?\
          """);

  private static final Texts TEXTS =
      new Texts(
          ROWS,
          ROWS,
          IF_NAME_IS_FREE,
          " ON CONFLICT DO NOTHING",
          PUT_STATUS,
          ADMIN_READS,
          LedgerTexts.RETENTION);

  private final Tables tables;
  private final LedgerAppender appender;
  private final KeyLocks keyLocks;
  private final InboxTable inbox;
  private final ReceivedTable received;

  SqliteDatabase(Tables tables) {
    super(tables, TEXTS);
    this.tables = tables;
    this.appender = new AppendStatement(tables);
    this.keyLocks = new WriteLock(tables);
    SqliteInbox ids = new SqliteInbox(tables);
    this.inbox = ids;
    this.received = new SqliteReceived(tables, ids);
  }

  @Override
  public LedgerSchema schema() {
    return new SchemaBySql(Tables.SCHEMA, tables, new SqliteSchema(tables));
  }

  @Override
  public LedgerAppender appender() {
    return appender;
  }

  @Override
  public KeyLocks keyLocks() {
    return keyLocks;
  }

  @Override
  public InboxTable inbox() {
    return inbox;
  }

  @Override
  public ReceivedTable received() {
    return received;
  }

  @Override
  public TransactionBounds transactionBounds() {
    return SqliteBounds.WRITING;
  }

  /** It has the lock for writers before it reads. */
  @Override
  public TransactionBounds handlingBounds() {
    return SqliteBounds.WRITING;
  }

  @Override
  public RelayStore relayStore(DataSource dataSource, RelaySubscription subscription) {
    return new RelayStoreBySql<>(
        subscription, tables, new SqliteRelay(dataSource, tables, subscription));
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return SqliteTransactions.over(dataSource);
  }

  @Override
  protected String blockers(Connection connection) {
    return SqliteRelay.BLOCKERS;
  }
}
