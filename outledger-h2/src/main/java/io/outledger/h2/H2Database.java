// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

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
import io.outledger.jdbc.sql.KeyRowsBySql;
import io.outledger.jdbc.sql.RelayStoreBySql;
import io.outledger.jdbc.sql.SchemaBySql;
import io.outledger.store.RelayStore;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Every promise, as H2 keeps it, for the tables of one schema. */
final class H2Database extends DatabaseBySql {

  static final String SKIP_LOCKED = " FOR UPDATE SKIP LOCKED";

  static final RowAddress ROWS =
      new RowAddress(SKIP_LOCKED, "CAST(p._ROWID_ AS VARCHAR)", "_ROWID_ = CAST(? AS BIGINT)");

  /** A statement that is refused does not end the transaction. */
  private static final String NOTHING = "";

  private static final String PUT_STATUS =
      """
      MERGE INTO {schema}.outledger_status
             (subscription, partition_no, instance, incarnation, state, reason, causes, since)
        KEY (subscription, partition_no, instance)
      SELECT CAST(? AS VARCHAR), CAST(? AS INTEGER), CAST(? AS VARCHAR), CAST(? AS UUID),
             CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR),
             DATEADD(MILLISECOND, -CAST(? AS BIGINT), CURRENT_TIMESTAMP)\
      """;

  // It keeps no history of when messages were published.
  private static final AdminSql ADMIN_READS =
      new AdminSql(
          "SELECT DISK_SPACE_USED('{schema}.outledger_message')",
          LedgerTexts.LEDGER.lastNumber(),
          // A large payload is loaded as far as it is read, and SUBSTRING would load all of it.
          "CASE WHEN CAST(? AS INTEGER) > 0 THEN %s END",
          "LOCATE(CAST(? AS VARCHAR), COALESCE(%s, '')) > 0",
          LedgerTexts.LEDGER.appended(),
          "EXTRACT(EPOCH FROM %s)",
          """
          SELECT s.subscription, s.partition_no, CAST(NULL AS TIMESTAMP WITH TIME ZONE), FALSE
            FROM {schema}.outledger_subscription s WHERE CAST(? AS BIGINT) > 0\
          """,
          """
          SELECT o.first_position, o.last_position
            FROM (SELECT s.subscription, s.partition_no, s.open_first[r."X"] AS first_position,
                         s.open_last[r."X"] AS last_position
                    FROM {schema}.outledger_subscription s
                    LEFT JOIN SYSTEM_RANGE(1, 1000000) r ON r."X" <= CARDINALITY(s.open_first)
                  UNION ALL
                  SELECT h.subscription, h.partition_no, h.first_position, h.last_position
                    FROM {schema}.outledger_hole h) o
           WHERE o.subscription = ? AND o.partition_no = ? AND o.first_position IS NOT NULL
           ORDER BY o.first_position LIMIT ?\
          """);

  private static final Texts TEXTS =
      new Texts(ROWS, ROWS, NOTHING, NOTHING, PUT_STATUS, ADMIN_READS, LedgerTexts.RETENTION);

  private final Tables tables;
  private final LedgerAppender appender;
  private final KeyLocks keyLocks;
  private final InboxTable inbox;
  private final ReceivedTable received;

  H2Database(Tables tables) {
    super(tables, TEXTS);
    this.tables = tables;
    this.appender = new AppendStatement(tables);
    this.keyLocks = new KeyRowsBySql(tables);
    H2Inbox ids = new H2Inbox(tables);
    this.inbox = ids;
    this.received = new H2Received(tables, ids);
  }

  @Override
  public LedgerSchema schema() {
    return new SchemaBySql(tables.schema(), tables, new H2Schema(tables));
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
    return H2Bounds.ALL;
  }

  @Override
  public TransactionBounds handlingBounds() {
    return H2Bounds.READ_COMMITTED;
  }

  @Override
  public RelayStore relayStore(DataSource dataSource, RelaySubscription subscription) {
    return new RelayStoreBySql<>(
        subscription, tables, new H2Relay(dataSource, tables, subscription));
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return H2Transactions.over(dataSource);
  }

  @Override
  protected String blockers(Connection connection) throws SQLException {
    return new Blockers(tables).describe(connection);
  }
}
