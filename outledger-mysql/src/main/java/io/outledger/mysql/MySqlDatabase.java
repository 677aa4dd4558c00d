// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

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

/** Every promise, as MySQL and MariaDB keep it, for the tables of one schema. */
final class MySqlDatabase implements Database {

  private static final String FOR_UPDATE = " FOR UPDATE";
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

  private final Tables tables;
  private final LedgerAppender appender;
  private final KeyLocks keyLocks;
  private final InboxTable inbox;
  private final ReceivedTable received;

  MySqlDatabase(Tables tables) {
    this.tables = tables;
    this.appender = new AppendStatement(tables);
    this.keyLocks = new KeyRows(tables);
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
    return MarkedWork.BOUNDS;
  }

  @Override
  public SqlErrors errors() {
    return MySqlErrors.TABLE;
  }

  @Override
  public RelayStore relayStore(DataSource dataSource, RelaySubscription subscription) {
    return new RelayStoreBySql<>(
        subscription, tables, PARKED, new MySqlRelay(dataSource, tables, subscription));
  }

  @Override
  public SubscriptionStore subscriptions() {
    return new SubscriptionsBySql(tables);
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return MySqlTransactions.over(dataSource, tables.product());
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
    return new ParkedNotes.OfSubscription(tables, PARKED, key);
  }

  @Override
  public ReplayRows replayRows(CursorKey key) {
    return new ReplayRows(tables, PARKED, key);
  }

  @Override
  public ErasureRows erasures() {
    return new ErasureRows(tables, PARKED, FOR_UPDATE);
  }

  @Override
  public RevisionRows revisions(CursorKey key) {
    return new RevisionRows(tables, PARKED, key);
  }

  @Override
  public InboxMemory inboxMemory() {
    return new InboxMemory(tables);
  }

  @Override
  public ParkedNotes.OfConsumer parkedNotes(String consumer) {
    return new ParkedNotes.OfConsumer(tables, RECEIVED, consumer);
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
