// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

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
import java.time.Duration;
import javax.sql.DataSource;

/** Every promise, as PostgreSQL keeps it, for the tables of one schema. */
final class PostgresDatabase implements Database {

  private static final String FOR_UPDATE = " FOR UPDATE";
  static final String SKIP_LOCKED = " FOR UPDATE SKIP LOCKED";

  static final RowAddress ROWS =
      new RowAddress(SKIP_LOCKED, "CAST(p.ctid AS text)", "ctid = CAST(? AS tid)");

  /**
   * How long one cursor row a second is kept, so that it can be said by when was published what.
   */
  static final Duration CURSOR_RETENTION = Duration.ofDays(7);

  private static final String IF_NAME_IS_FREE =
      " ON CONFLICT (name) WHERE name IS NOT NULL DO NOTHING";

  private static final String PUT_STATUS =
      """
      INSERT INTO {schema}.outledger_status
             (subscription, partition_no, instance, incarnation, state, reason, causes, since)
      VALUES (?, ?, ?, ?, ?, ?, ?, clock_timestamp() - ?::bigint * interval '1 millisecond')
      ON CONFLICT (subscription, partition_no, instance) DO UPDATE
         SET incarnation = excluded.incarnation, state = excluded.state,
             reason = excluded.reason, causes = excluded.causes, since = excluded.since\
      """;

  private static final AdminSql ADMIN_READS =
      new AdminSql(
          "SELECT pg_total_relation_size('{schema}.outledger_message'::regclass)",
          """
          SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END
            FROM {schema}.outledger_message_position s\
          """,
          "substr(%s, 1, ?)",
          "strpos(coalesce(%s, ''), ?) > 0",
          LedgerTexts.LEDGER.appended(),
          "extract(epoch FROM %s)",
          """
          SELECT p.subscription, p.partition_no, p.published_by, p.discarded
            FROM {schema}.outledger_published p WHERE p.position = ?\
          """,
          """
          SELECT r.first_position, r.last_position
            FROM (SELECT s.subscription, s.partition_no, open.first_position, open.last_position
                    FROM {schema}.outledger_subscription s
                   CROSS JOIN LATERAL unnest(s.open_first, s.open_last)
                      AS open (first_position, last_position)
                  UNION ALL
                  SELECT h.subscription, h.partition_no, h.first_position, h.last_position
                    FROM {schema}.outledger_hole h) r
           WHERE r.subscription = ? AND r.partition_no = ?
           ORDER BY r.first_position LIMIT ?\
          """);

  private final Tables tables;
  private final LedgerAppender appender;
  private final KeyLocks keyLocks;
  private final InboxTable inbox;
  private final ReceivedTable received;

  PostgresDatabase(Tables tables) {
    this.tables = tables;
    this.appender = new AppendStatement(tables);
    this.keyLocks = new AdvisoryLocks(tables);
    PostgresInbox ids = new PostgresInbox(tables);
    this.inbox = ids;
    this.received = new PostgresReceived(tables, ids);
  }

  @Override
  public LedgerSchema schema() {
    return new SchemaBySql(tables.schema(), tables, new PostgresSchema(tables));
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
    return new DueMessagesBySql(tables, SKIP_LOCKED, " ON CONFLICT DO NOTHING");
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
    return PostgresDriver::requireIntact;
  }

  /**
   * The isolation is READ COMMITTED unless somebody has changed it, and to state it would cost a
   * round trip for each message. At another one, an inbox is refused what it cannot see, and what
   * is behind dead letters is held: see {@link ReceivedAdmission}.
   */
  @Override
  public TransactionBounds handlingBounds() {
    return transactionBounds();
  }

  @Override
  public SqlErrors errors() {
    return PostgresErrors.TABLE;
  }

  @Override
  public RelayStore relayStore(DataSource dataSource, RelaySubscription subscription) {
    return new RelayStoreBySql<>(
        subscription,
        tables,
        new PostgresRelay(dataSource, tables, subscription, CURSOR_RETENTION));
  }

  @Override
  public SubscriptionStore subscriptions() {
    return new SubscriptionsBySql(tables);
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return PostgresTransactions.over(dataSource);
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
        transactions(dataSource),
        tables,
        ADMIN_READS,
        received,
        new Writers(tables)::describeBlockers);
  }
}
