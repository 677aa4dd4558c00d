// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.AdminSql;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.ErasureRows;
import io.outledger.jdbc.spi.InboxMemory;
import io.outledger.jdbc.spi.ParkedNotes;
import io.outledger.jdbc.spi.PauseTable;
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
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The promises that a database keeps by the stories that are told here, with its texts. Its own
 * class has what is left: the schema, appending, locks, the inbox, a relay's store, and how
 * transactions begin and end. Thread-safe.
 */
public abstract class DatabaseBySql implements Database {

  private final LedgerTables tables;
  private final Texts texts;

  /**
   * For the database's own. Creates it, without I/O.
   *
   * @param tables its tables
   * @param texts what has to differ
   */
  protected DatabaseBySql(LedgerTables tables, Texts texts) {
    this.tables = tables;
    this.texts = texts;
  }

  /**
   * A database's texts, where they have to differ.
   *
   * @param parked how parked messages of subscriptions are locked and found again
   * @param received the same of parked messages of consumers
   * @param ifNameIsFree see {@link ScheduledBySql}
   * @param ifNew see {@link DueMessagesBySql}
   * @param putStatus see {@link StatusTable}
   * @param reads what operators read
   * @param retention what is removed
   */
  public record Texts(
      RowAddress parked,
      RowAddress received,
      String ifNameIsFree,
      String ifNew,
      String putStatus,
      AdminSql reads,
      RetentionBySql.Texts retention) {}

  /**
   * Returns, for people, which transactions keep the relays from going on.
   *
   * @throws SQLException if the database failed
   */
  protected abstract String blockers(Connection connection) throws SQLException;

  @Override
  public ScheduledTable scheduled() {
    return new ScheduledBySql(tables, texts.ifNameIsFree());
  }

  @Override
  public final DueMessages dueMessages() {
    return new DueMessagesBySql(tables, texts.parked().skipLocked(), texts.ifNew());
  }

  @Override
  public final DeclarationTable declarations(DeclarationTable.Reader reader) {
    return new DeclarationTable(reader, tables);
  }

  @Override
  public final SqlErrors errors() {
    return tables.errors();
  }

  @Override
  public final SubscriptionStore subscriptions() {
    return new SubscriptionsBySql(tables);
  }

  @Override
  public final RequestTable requests() {
    return new RequestTable(tables, tables.sql().forUpdate(), texts.parked().skipLocked());
  }

  @Override
  public final RenamedRows renamedRows() {
    return new RenamedRows(tables);
  }

  @Override
  public final PauseTable pauses() {
    return new PauseTable(tables);
  }

  @Override
  public final SagaTable sagas() {
    return new SagaTable(tables);
  }

  @Override
  public final ParkedNotes.OfSubscription parkedNotes(CursorKey key) {
    return new ParkedNotes.OfSubscription(tables, texts.parked(), key);
  }

  @Override
  public final ReplayRows replayRows(CursorKey key) {
    return new ReplayRows(tables, texts.parked(), key);
  }

  @Override
  public final ErasureRows erasures() {
    return new ErasureRows(tables, texts.parked(), tables.sql().forUpdate());
  }

  @Override
  public final RevisionRows revisions(CursorKey key) {
    return new RevisionRows(tables, texts.parked(), key);
  }

  @Override
  public final InboxMemory inboxMemory() {
    return new InboxMemory(tables);
  }

  @Override
  public final ParkedNotes.OfConsumer parkedNotes(String consumer) {
    return new ParkedNotes.OfConsumer(tables, texts.received(), consumer);
  }

  @Override
  public final RetentionStore retention(DataSource dataSource, int batch) {
    return new RetentionBySql(transactions(dataSource), tables, texts.retention(), batch);
  }

  @Override
  public final StatusStore status(DataSource dataSource) {
    return new StatusTable(transactions(dataSource), tables, texts.putStatus());
  }

  @Override
  public final AdminReads adminReads(DataSource dataSource) {
    return new AdminReadsBySql(
        transactions(dataSource), tables, texts.reads(), received(), this::blockers);
  }
}
