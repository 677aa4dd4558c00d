// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The stories of a relay that need not differ, in front of those that do: the session, the poll
 * with its proof, and the witness of a save. Each story has its class. Used by one thread.
 *
 * @param <S> the database's session
 */
public abstract class RelayStoriesBySql<S extends LedgerSession> implements RelayStories<S> {

  private static final Duration PURGED_AFTER = Duration.ofDays(7);
  private static final int PURGED_AT_ONCE = 5_000;

  private final LedgerTables tables;
  private final CursorKey key;
  private final LedgerChecks checks;
  private final String purge;
  private final ParkedReadsBySql parked;
  private final TakeOverBySql takeOver;
  private final CursorSaveBySql save;

  /**
   * A database's texts.
   *
   * @param isRequested see {@link ParkedReadsBySql}
   * @param isDiscarded see {@link ParkedReadsBySql}
   * @param purge a statement: deletes rows of outledger_cursor, those of take-overs only where they
   *     were saved before a time; parameters are subscription, partition, the first number that
   *     stays, the time as milliseconds from now, and how many rows it deletes at most
   */
  public record Texts(String isRequested, String isDiscarded, String purge) {}

  /**
   * For the database's own. Creates it, without I/O.
   *
   * @param checks what has to hold before a ledger is read
   * @param holes the open positions beside the cursor's row
   * @param texts the database's own
   */
  protected RelayStoriesBySql(
      LedgerTables tables, CursorKey key, LedgerChecks checks, HolesBySql holes, Texts texts) {
    this.tables = tables;
    this.key = key;
    this.checks = checks;
    this.purge = texts.purge();
    this.parked = new ParkedReadsBySql(tables, key, texts.isRequested(), texts.isDiscarded());
    this.takeOver = new TakeOverBySql(tables, key, checks, parked);
    this.save = new CursorSaveBySql(tables, key, holes);
  }

  /** Returns the witness of a save that has returned. */
  protected abstract long witness(S session, Save saved) throws SQLException;

  @Override
  public final void checkServer(S session) throws SQLException {
    checks.checkServer(session.connection());
  }

  @Override
  public final void check(S session, long high) throws SQLException {
    checks.check(session.connection(), high);
  }

  @Override
  public final Optional<LedgerEdge> walk(S session, Start start) throws SQLException {
    return tables.walk(session.connection(), start);
  }

  @Override
  public final Optional<LeaseGrant> takeOver(
      S session, CursorRow seen, UUID incarnation, Duration lease, Runnable asking)
      throws SQLException {
    return takeOver.takeOver(session, seen, incarnation, lease, asking);
  }

  @Override
  public final SaveOutcome save(S session, Save row) throws SQLException {
    return save.save(session, row)
        ? new SaveOutcome.Saved(witness(session, row), row.server())
        : new SaveOutcome.Fenced();
  }

  /** Rows of take-overs stay for a week. */
  @Override
  public final void purgeCursor(S session, long newest) throws SQLException {
    Sql.in(
            tables,
            session.connection(),
            purge,
            key.subscription(),
            key.partition(),
            newest - 1,
            -PURGED_AFTER.toMillis(),
            PURGED_AT_ONCE)
        .update();
  }

  @Override
  public final List<ParkedMessage> due(
      S session, Set<String> routes, Set<ParkedPlace> except, int limit) throws SQLException {
    return parked.due(session.connection(), routes, except, limit);
  }

  @Override
  public final Map<String, Long> parkedElsewhere(S session, Set<String> routes)
      throws SQLException {
    return parked.elsewhere(session.connection(), routes);
  }

  @Override
  public final List<LeaseGrant.BlockedKey> releasable(S session, Set<String> routes, int limit)
      throws SQLException {
    return parked.releasable(session.connection(), routes, limit);
  }

  @Override
  public final List<ParkedMessage> held(S session, String route, String key, int limit)
      throws SQLException {
    return parked.held(session.connection(), route, key, limit);
  }

  @Override
  public final List<ParkedMessage> discards(S session, ParkedPlace after, int limit)
      throws SQLException {
    return parked.discards(session.connection(), after, limit);
  }

  @Override
  public final Set<Integer> partitionsWithWork(S session, Set<Integer> partitions)
      throws SQLException {
    return parked.partitionsWithWork(session.connection(), partitions);
  }
}
