// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.AdminSql;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.ErasureRows;
import io.outledger.jdbc.spi.InboxMemory;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.spi.KeyLocks;
import io.outledger.jdbc.spi.LedgerAppender;
import io.outledger.jdbc.spi.LedgerSchema;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.ParkedNotes;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RenamedRows;
import io.outledger.jdbc.spi.ReplayRows;
import io.outledger.jdbc.spi.RequestTable;
import io.outledger.jdbc.spi.RetentionStore;
import io.outledger.jdbc.spi.RevisionRows;
import io.outledger.jdbc.spi.RowAddress;
import io.outledger.jdbc.spi.SagaTable;
import io.outledger.jdbc.spi.ScheduledTable;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.jdbc.spi.TransactionBounds;
import io.outledger.jdbc.sql.AdminReadsBySql;
import io.outledger.jdbc.sql.DueMessagesBySql;
import io.outledger.jdbc.sql.RelayStoreBySql;
import io.outledger.jdbc.sql.RetentionBySql;
import io.outledger.jdbc.sql.ScheduledBySql;
import io.outledger.jdbc.sql.SchemaBySql;
import io.outledger.jdbc.sql.StatusTable;
import io.outledger.jdbc.sql.SubscriptionsBySql;
import io.outledger.store.RelayStore;
import javax.sql.DataSource;

/** Every promise, as H2 keeps it, for the tables of one schema. */
final class H2Database implements Database {

  private static final String FOR_UPDATE = " FOR UPDATE";
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

  private final Tables tables;
  private final LedgerAppender appender;
  private final KeyLocks keyLocks;
  private final InboxTable inbox;
  private final ReceivedTable received;

  H2Database(Tables tables) {
    this.tables = tables;
    this.appender = new AppendStatement(tables);
    this.keyLocks = new KeyRows(tables);
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
  public ScheduledTable scheduled() {
    return new ScheduledBySql(tables, NOTHING);
  }

  @Override
  public DueMessages dueMessages() {
    return new DueMessagesBySql(tables, SKIP_LOCKED, NOTHING);
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
  public DeclarationTable declarations(DeclarationTable.Reader reader) {
    return new DeclarationTable(reader, tables);
  }

  @Override
  public TransactionBounds transactionBounds() {
    return H2Bounds.ALL;
  }

  @Override
  public SqlErrors errors() {
    return H2Errors.TABLE;
  }

  @Override
  public RelayStore relayStore(DataSource dataSource, RelaySubscription subscription) {
    return new RelayStoreBySql<>(
        subscription, tables, ROWS, new H2Relay(dataSource, tables, subscription));
  }

  @Override
  public SubscriptionStore subscriptions() {
    return new SubscriptionsBySql(tables);
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return H2Transactions.over(dataSource);
  }

  @Override
  public RequestTable requests() {
    return new RequestTable(tables, FOR_UPDATE, SKIP_LOCKED);
  }

  @Override
  public RenamedRows renamedRows() {
    return new RenamedRows(tables);
  }

  @Override
  public PauseTable pauses() {
    return new PauseTable(tables);
  }

  @Override
  public SagaTable sagas() {
    return new SagaTable(tables);
  }

  @Override
  public ParkedNotes.OfSubscription parkedNotes(CursorKey key) {
    return new ParkedNotes.OfSubscription(tables, ROWS, key);
  }

  @Override
  public ReplayRows replayRows(CursorKey key) {
    return new ReplayRows(tables, ROWS, key);
  }

  @Override
  public ErasureRows erasures() {
    return new ErasureRows(tables, ROWS, FOR_UPDATE);
  }

  @Override
  public RevisionRows revisions(CursorKey key) {
    return new RevisionRows(tables, ROWS, key);
  }

  @Override
  public InboxMemory inboxMemory() {
    return new InboxMemory(tables);
  }

  @Override
  public ParkedNotes.OfConsumer parkedNotes(String consumer) {
    return new ParkedNotes.OfConsumer(tables, ROWS, consumer);
  }

  @Override
  public RetentionStore retention(DataSource dataSource, int batch) {
    return new RetentionBySql(transactions(dataSource), tables, LedgerTexts.RETENTION, batch);
  }

  @Override
  public StatusStore status(DataSource dataSource) {
    return new StatusTable(transactions(dataSource), tables, PUT_STATUS);
  }

  @Override
  public AdminReads adminReads(DataSource dataSource) {
    return new AdminReadsBySql(
        transactions(dataSource), tables, ADMIN_READS, received, new Blockers(tables)::describe);
  }
}
