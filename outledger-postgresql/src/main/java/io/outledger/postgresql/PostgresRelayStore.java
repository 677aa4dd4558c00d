// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.StoreFailure;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
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
import org.jspecify.annotations.Nullable;

/**
 * A relay's store on PostgreSQL, over one connection of its own. After any failure the connection
 * is closed, and the next call opens another. Each story has its class; this one only opens, calls
 * and closes. Used by one thread.
 */
final class PostgresRelayStore implements RelayStore {

  private final DataSource dataSource;
  private final CursorKey key;
  private final SessionSettings settings;
  private final TakeOver takeOver;
  private final CursorPlacing placing;
  private final Start start;
  private final LedgerPreconditions preconditions;
  private final LedgerPoll poll;
  private final CursorSave save;
  private final Writers writers;
  private final ParkedReads parked;
  private final CursorPurge purge;
  private @Nullable Session session;
  private boolean isKnown;

  /**
   * Creates it, without I/O.
   *
   * @param retention how long one cursor row a second is kept
   */
  PostgresRelayStore(
      DataSource dataSource, Tables tables, RelaySubscription subscription, Duration retention) {
    this.key = subscription.key();
    this.dataSource = dataSource;
    this.settings = SessionSettings.relay(key.toString(), subscription.lease());
    this.takeOver = new TakeOver(tables, key);
    this.placing = new CursorPlacing(tables, key);
    this.start = subscription.start();
    this.preconditions = new LedgerPreconditions(tables, key);
    this.poll = new LedgerPoll(tables, key);
    this.save = new CursorSave(tables, key);
    this.writers = new Writers(tables);
    this.parked = new ParkedReads(tables, key);
    this.purge = new CursorPurge(tables, key, retention);
  }

  @Override
  public CursorRow look() {
    return call(
        "reading the cursor",
        s -> {
          Optional<CursorRow> row = takeOver.look(s);
          if (row.isEmpty() && !isKnown) {
            preconditions.checkServer(s);
            placing.make(s, start);
            row = takeOver.look(s);
          }
          isKnown = true;
          if (row.isEmpty()) {
            throw gone(takeOver.isDeleted(s));
          }
          return row.get();
        });
  }

  private OutledgerException gone(boolean isDeleted) {
    return isDeleted ? deleted() : missing();
  }

  private ConfigurationException deleted() {
    return new ConfigurationException(
        ErrorCode.UNKNOWN_SUBSCRIPTION,
        "subscription \""
            + key
            + "\" was deleted while its relay was running. Restart the relay to create the"
            + " subscription again at its configured start");
  }

  /** No row says that it was deleted, so it may be on its way: a restore loads one table first. */
  private StoreException missing() {
    return new StoreException(
        ErrorCode.UNKNOWN_SUBSCRIPTION,
        "subscription \""
            + key
            + "\" is missing but was not deleted: the database is being restored, or the backup is"
            + " older than the subscription. The relay keeps checking; restart it to create the"
            + " subscription again at its configured start");
  }

  @Override
  public Optional<LeaseGrant> takeOver(
      CursorRow seen, UUID incarnation, Duration lease, Runnable asking) {
    return call("taking the lease", s -> takeOver.takeOver(s, seen, incarnation, lease, asking));
  }

  @Override
  public void checkPreconditions(long high) {
    run("checking the ledger", s -> preconditions.check(s, high));
  }

  @Override
  public Page poll(PollRequest request) {
    return call("reading the ledger", s -> poll.poll(s, request));
  }

  @Override
  public SaveOutcome save(Save row) {
    return call("saving the cursor", s -> save.save(s, row));
  }

  @Override
  public Set<Long> writers() {
    return call("finding writers of the ledger", writers::now);
  }

  @Override
  public String blockers() {
    return call("finding transactions that block the ledger", writers::describeBlockers);
  }

  @Override
  public List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit) {
    return call("reading parked messages", s -> parked.due(s, routes, except, limit));
  }

  @Override
  public Map<String, Long> parkedElsewhere(Set<String> routes) {
    return call("counting parked messages", s -> parked.elsewhere(s, routes));
  }

  @Override
  public List<ParkedMessage> held(String route, String key, long above, int limit) {
    return call("reading held messages", s -> parked.held(s, route, key, above, limit));
  }

  @Override
  public List<ParkedMessage> discards(ParkedPlace after, int limit) {
    return call("reading discarded messages", s -> parked.discards(s, after, limit));
  }

  @Override
  public void purgeCursor(long newest) {
    run("purging old rows of the cursor", s -> purge.purge(s, newest));
  }

  @Override
  public void close() {
    Session closing = session;
    session = null;
    if (closing == null) {
      return;
    }
    try {
      closing.close();
    } catch (SQLException e) {
      throw StoreFailure.of(PostgresErrors.TABLE, "closing the relay's connection", e);
    }
  }

  private void run(String doing, Command command) {
    call(
        doing,
        s -> {
          command.on(s);
          return doing;
        });
  }

  private <T> T call(String doing, Query<T> query) {
    Session current = session;
    try {
      if (current == null) {
        current = Session.open(dataSource, settings);
        session = current;
      }
      return query.on(current);
    } catch (SQLException e) {
      session = null;
      if (current != null) {
        current.closeAfter(e);
      }
      throw StoreFailure.of(PostgresErrors.TABLE, doing, e);
    } catch (ConfigurationException e) {
      throw e; // the database was asked, and has answered
    } catch (Throwable e) {
      session = null;
      if (current != null) {
        current.abortAfter(e);
      }
      throw e;
    }
  }

  /** What is asked over a session. */
  private interface Query<T> {
    T on(Session session) throws SQLException;
  }

  /** What is done over a session. */
  private interface Command {
    void on(Session session) throws SQLException;
  }
}
