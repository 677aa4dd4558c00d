// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.sql.RelayStories;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.PollRequest;
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
import javax.sql.DataSource;

/** What PostgreSQL does whole for a relay. Each story has its class. Used by one thread. */
final class PostgresRelay implements RelayStories<Session> {

  private final DataSource dataSource;
  private final Tables tables;
  private final SessionSettings settings;
  private final TakeOver takeOver;
  private final LedgerPreconditions preconditions;
  private final LedgerPoll poll;
  private final CursorSave save;
  private final Writers writers;
  private final ParkedReads parked;
  private final CursorPurge purge;

  /**
   * Creates it, without I/O.
   *
   * @param retention how long one cursor row a second is kept
   */
  PostgresRelay(
      DataSource dataSource, Tables tables, RelaySubscription subscription, Duration retention) {
    CursorKey key = subscription.key();
    this.dataSource = dataSource;
    this.tables = tables;
    this.settings = SessionSettings.relay(key.toString(), subscription.lease());
    this.takeOver = new TakeOver(tables, key);
    this.preconditions = new LedgerPreconditions(tables, key);
    this.poll = new LedgerPoll(tables, subscription);
    this.save = new CursorSave(tables, key);
    this.writers = new Writers(tables);
    this.parked = new ParkedReads(tables, key);
    this.purge = new CursorPurge(tables, key, retention);
  }

  @Override
  public Session open() throws SQLException {
    return Session.open(dataSource, settings);
  }

  @Override
  public void checkServer(Session session) throws SQLException {
    preconditions.checkServer(session);
  }

  @Override
  public void check(Session session, long high) throws SQLException {
    preconditions.check(session, high);
  }

  @Override
  public Optional<LedgerEdge> walk(Session session, Start start) throws SQLException {
    return session.inTransaction(Kind.WALKS, connection -> tables.walk(connection, start));
  }

  @Override
  public Optional<LeaseGrant> takeOver(
      Session session, CursorRow seen, UUID incarnation, Duration lease, Runnable asking)
      throws SQLException {
    return takeOver.takeOver(session, seen, incarnation, lease, asking);
  }

  @Override
  public Page poll(Session session, PollRequest request) throws SQLException {
    return poll.poll(session, request);
  }

  @Override
  public SaveOutcome save(Session session, Save row) throws SQLException {
    return save.save(session, row);
  }

  @Override
  public Set<Long> writers(Session session) throws SQLException {
    return writers.now(session);
  }

  @Override
  public String blockers(Session session) throws SQLException {
    return writers.describeBlockers(session);
  }

  @Override
  public List<ParkedMessage> due(
      Session session, Set<String> routes, Set<ParkedPlace> except, int limit) throws SQLException {
    return parked.due(session, routes, except, limit);
  }

  @Override
  public Map<String, Long> parkedElsewhere(Session session, Set<String> routes)
      throws SQLException {
    return parked.elsewhere(session, routes);
  }

  @Override
  public List<LeaseGrant.BlockedKey> releasable(Session session, Set<String> routes, int limit)
      throws SQLException {
    return parked.releasable(session, routes, limit);
  }

  @Override
  public List<ParkedMessage> held(Session session, String route, String key, int limit)
      throws SQLException {
    return parked.held(session, route, key, limit);
  }

  @Override
  public List<ParkedMessage> discards(Session session, ParkedPlace after, int limit)
      throws SQLException {
    return parked.discards(session, after, limit);
  }

  @Override
  public Set<Integer> partitionsWithWork(Session session, Set<Integer> partitions)
      throws SQLException {
    return parked.partitionsWithWork(session, partitions);
  }

  @Override
  public void purgeCursor(Session session, long newest) throws SQLException {
    purge.purge(session, newest);
  }
}
