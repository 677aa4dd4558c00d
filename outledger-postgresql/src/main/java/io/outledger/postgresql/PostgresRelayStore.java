// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.GoneSubscription;
import io.outledger.jdbc.spi.RelayConnection;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.store.CursorRow;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * A relay's store on PostgreSQL, over one connection of its own. After any failure the connection
 * is closed, and the next call opens another. Each story has its class; this one only opens, calls
 * and closes. Used by one thread.
 */
final class PostgresRelayStore implements RelayStore {

  private final CursorKey key;
  private final TakeOver takeOver;
  private final CursorPlacing placing;
  private final Start start;
  private final LedgerPreconditions preconditions;
  private final LedgerPoll poll;
  private final CursorSave save;
  private final Writers writers;
  private final ParkedReads parked;
  private final CursorPurge purge;
  private final DeclarationTable declarations;
  private final RelayConnection<Session> connection;
  private boolean isKnown;

  /**
   * Creates it, without I/O.
   *
   * @param retention how long one cursor row a second is kept
   */
  PostgresRelayStore(
      DataSource dataSource, Tables tables, RelaySubscription subscription, Duration retention) {
    this.key = subscription.key();
    SessionSettings settings = SessionSettings.relay(key.toString(), subscription.lease());
    this.connection =
        new RelayConnection<>(() -> Session.open(dataSource, settings), PostgresErrors.TABLE);
    this.takeOver = new TakeOver(tables, key);
    this.placing = new CursorPlacing(tables, key);
    this.start = subscription.start();
    this.preconditions = new LedgerPreconditions(tables, key);
    this.poll = new LedgerPoll(tables, key);
    this.save = new CursorSave(tables, key);
    this.writers = new Writers(tables);
    this.parked = new ParkedReads(tables, key);
    this.purge = new CursorPurge(tables, key, retention);
    this.declarations = new DeclarationTable(subscription.reader(), tables::in);
  }

  @Override
  public CursorRow look() {
    return connection.call(
        "reading the cursor",
        s -> {
          Optional<TakeOver.Newest> newest = takeOver.newest(s);
          if (!isKnown && newest.map(TakeOver.Newest::isGone).orElse(true)) {
            preconditions.checkServer(s);
            placing.make(s, start);
            newest = takeOver.newest(s);
          }
          isKnown = true;
          if (newest.isEmpty()) {
            throw GoneSubscription.missing(key);
          }
          if (newest.get().isGone()) {
            throw GoneSubscription.deleted(key);
          }
          return newest.get().row();
        });
  }

  @Override
  public Optional<LeaseGrant> takeOver(
      CursorRow seen, UUID incarnation, Duration lease, Runnable asking) {
    return connection.call(
        "taking the lease", s -> takeOver.takeOver(s, seen, incarnation, lease, asking));
  }

  @Override
  public void checkPreconditions(long high) {
    connection.run("checking the ledger", s -> preconditions.check(s, high));
  }

  @Override
  public Page poll(PollRequest request) {
    return connection.call("reading the ledger", s -> poll.poll(s, request));
  }

  @Override
  public SaveOutcome save(Save row) {
    return connection.call("saving the cursor", s -> save.save(s, row));
  }

  @Override
  public Set<Long> writers() {
    return connection.call("finding writers of the ledger", writers::now);
  }

  @Override
  public String blockers() {
    return connection.call("finding transactions that block the ledger", writers::describeBlockers);
  }

  @Override
  public List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit) {
    return connection.call("reading parked messages", s -> parked.due(s, routes, except, limit));
  }

  @Override
  public Map<String, Long> parkedElsewhere(Set<String> routes) {
    return connection.call("counting parked messages", s -> parked.elsewhere(s, routes));
  }

  @Override
  public List<ParkedMessage> held(String route, String key, int limit) {
    return connection.call("reading held messages", s -> parked.held(s, route, key, limit));
  }

  @Override
  public List<ParkedMessage> discards(ParkedPlace after, int limit) {
    return connection.call("reading requests to discard", s -> parked.discards(s, after, limit));
  }

  @Override
  public void declare(Declaring declaring) {
    change("declaring what this relay has", declarations.declaring(declaring));
  }

  @Override
  public void declareAgain(Set<Declaration> has) {
    change("declaring what the owner lacks", declarations.declaringAgain(has));
  }

  private void change(String doing, DeclarationTable.Change change) {
    connection.run(
        doing,
        s -> {
          preconditions.checkServer(s);
          DeclarationTable.untilNobodyElseDoes(
              PostgresErrors.TABLE,
              () -> s.inTransaction(OwnTransaction.Kind.OF_SESSION, change::on));
        });
  }

  @Override
  public Declarations declarations() {
    return connection.call("reading declarations", s -> declarations.current(s.connection()));
  }

  @Override
  public void purgeCursor(long newest) {
    connection.run("purging old rows of the cursor", s -> purge.purge(s, newest));
  }

  @Override
  public void close() {
    connection.close();
  }
}
