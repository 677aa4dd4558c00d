// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.AdminSql;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.spi.KeyLocks;
import io.outledger.jdbc.spi.LedgerAppender;
import io.outledger.jdbc.spi.LedgerSchema;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RowAddress;
import io.outledger.jdbc.spi.ScheduledTable;
import io.outledger.jdbc.spi.TransactionBounds;
import io.outledger.jdbc.sql.DatabaseBySql;
import io.outledger.jdbc.sql.KeyRowsBySql;
import io.outledger.jdbc.sql.RelayStoreBySql;
import io.outledger.jdbc.sql.SchemaBySql;
import io.outledger.store.RelayStore;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Every promise, as MySQL and MariaDB keep it, for the tables of one schema. */
final class MySqlDatabase extends DatabaseBySql {

  static final String SKIP_LOCKED = " FOR UPDATE SKIP LOCKED";

  static final RowAddress PARKED =
      new RowAddress(SKIP_LOCKED, "CAST(p.row_no AS CHAR)", "row_no = CAST(? AS SIGNED)");
  static final RowAddress RECEIVED =
      new RowAddress(SKIP_LOCKED, "CAST(p.number AS CHAR)", "number = CAST(? AS SIGNED)");

  /** A statement that is refused does not end the transaction. */
  private static final String NOTHING = "";

  private static final String PUT_STATUS =
      """
      REPLACE INTO {schema}.outledger_status
             (subscription, partition_no, instance, incarnation, state, reason, causes, since)
      VALUES (?, ?, ?, ?, ?, ?, ?, TIMESTAMPADD(MICROSECOND, -1000 * ?, {now}))\
      """;

  // It keeps no history of when messages were published.
  private static final AdminSql ADMIN_READS =
      new AdminSql(
          """
          SELECT COALESCE(SUM(t.DATA_LENGTH + t.INDEX_LENGTH), 0) FROM information_schema.TABLES t
           WHERE t.TABLE_SCHEMA = {name} AND t.TABLE_NAME = 'outledger_message'\
          """,
          LedgerTexts.LEDGER.lastNumber(),
          "SUBSTRING(%s, 1, ?)",
          "LOCATE(?, COALESCE(%s, '')) > 0",
          LedgerTexts.LEDGER.appended(),
          "%s",
          """
          SELECT s.subscription, s.partition_no, NULL, FALSE
            FROM {schema}.outledger_subscription s WHERE ? > 0\
          """,
          """
          SELECT o.first_position, o.last_position
            FROM (SELECT c.subscription, c.partition_no, r.f AS first_position, r.l AS last_position
                    FROM {schema}.outledger_cursor c
                    JOIN JSON_TABLE(c.open_ranges, '$[*]'
                           COLUMNS (f BIGINT PATH '$[0]', l BIGINT PATH '$[1]')) r
                   WHERE NOT c.gone
                     AND c.n = (SELECT MAX(newest.n) FROM {schema}.outledger_cursor newest
                                 WHERE newest.subscription = c.subscription
                                   AND newest.partition_no = c.partition_no)
                  UNION ALL
                  SELECT h.subscription, h.partition_no, h.first_position, h.last_position
                    FROM {schema}.outledger_hole h) o
           WHERE o.subscription = ? AND o.partition_no = ?
           ORDER BY o.first_position LIMIT ?\
          """);

  private static final Texts TEXTS =
      new Texts(PARKED, RECEIVED, NOTHING, NOTHING, PUT_STATUS, ADMIN_READS, LedgerTexts.RETENTION);

  private final Tables tables;
  private final LedgerAppender appender;
  private final KeyLocks keyLocks;
  private final InboxTable inbox;
  private final ReceivedTable received;

  MySqlDatabase(Tables tables) {
    super(tables, TEXTS);
    this.tables = tables;
    this.appender = new AppendStatement(tables);
    this.keyLocks = new KeyRowsBySql(tables);
    MySqlInbox ids = new MySqlInbox(tables);
    this.inbox = ids;
    this.received = new MySqlReceived(tables, ids);
  }

  @Override
  public LedgerSchema schema() {
    return new SchemaBySql(tables.schema(), tables, new MySqlSchema(tables));
  }

  @Override
  public LedgerAppender appender() {
    return appender;
  }

  @Override
  public ScheduledTable scheduled() {
    return new MySqlScheduled(tables);
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
    return MarkedWork.BOUNDS;
  }

  @Override
  public TransactionBounds handlingBounds() {
    return MarkedWork.READ_COMMITTED;
  }

  @Override
  public RelayStore relayStore(DataSource dataSource, RelaySubscription subscription) {
    return new RelayStoreBySql<>(
        subscription, tables, new MySqlRelay(dataSource, tables, subscription));
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return MySqlTransactions.over(dataSource, tables.product());
  }

  @Override
  protected String blockers(Connection connection) throws SQLException {
    return new Blockers(tables).describe(connection);
  }
}
