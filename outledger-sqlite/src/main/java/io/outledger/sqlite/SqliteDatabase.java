// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

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

/** Every promise, as SQLite keeps it, for the tables of one file. */
final class SqliteDatabase implements Database {

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

  private final Tables tables;
  private final LedgerAppender appender;
  private final KeyLocks keyLocks;
  private final InboxTable inbox;
  private final ReceivedTable received;

  SqliteDatabase(Tables tables) {
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
  public ScheduledTable scheduled() {
    return new ScheduledBySql(tables, IF_NAME_IS_FREE);
  }

  @Override
  public DueMessages dueMessages() {
    return new DueMessagesBySql(tables, NO_LOCK, " ON CONFLICT DO NOTHING");
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
    return SqliteBounds.WRITING;
  }

  @Override
  public SqlErrors errors() {
    return SqliteErrors.TABLE;
  }

  @Override
  public RelayStore relayStore(DataSource dataSource, RelaySubscription subscription) {
    return new RelayStoreBySql<>(
        subscription, tables, ROWS, new SqliteRelay(dataSource, tables, subscription));
  }

  @Override
  public SubscriptionStore subscriptions() {
    return new SubscriptionsBySql(tables);
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return SqliteTransactions.over(dataSource);
  }

  @Override
  public RequestTable requests() {
    return new RequestTable(tables, NO_LOCK, NO_LOCK);
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
    return new ErasureRows(tables, ROWS, NO_LOCK);
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
        transactions(dataSource),
        tables,
        ADMIN_READS,
        received,
        connection -> SqliteRelay.BLOCKERS);
  }
}
