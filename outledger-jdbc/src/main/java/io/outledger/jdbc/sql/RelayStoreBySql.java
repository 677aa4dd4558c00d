// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.GoneSubscription;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.spi.RelayConnection;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.ResumedRows;
import io.outledger.jdbc.spi.RowAddress;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.store.CursorRow;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.Pauses;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A relay's store over one connection of its own. After any failure the connection is closed, and
 * the next call opens another. Each story has its class; this one only opens, calls and closes.
 * Used by one thread.
 *
 * @param <S> the database's session
 */
public final class RelayStoreBySql<S extends RelaySession> implements RelayStore {

  private static final Logger LOG = LoggerFactory.getLogger(RelayStoreBySql.class);

  private final CursorKey key;
  private final Start start;
  private final RelayStories<S> stories;
  private final SqlErrors errors;
  private final CursorRows rows;
  private final CursorPlacing placing;
  private final PartitionPlacing partitions;
  private final boolean isDivided;
  private final DeclarationTable declarations;
  private final PauseTable pauses;
  private final ResumedRows resumed;
  private final RelayConnection<S> connection;
  private boolean isKnown;

  /**
   * Creates it, without I/O.
   *
   * @param parked how rows of parked messages are locked and found again
   * @param stories the database's own
   */
  public RelayStoreBySql(
      RelaySubscription subscription,
      LedgerTables tables,
      RowAddress parked,
      RelayStories<S> stories) {
    this.key = subscription.key();
    this.start = subscription.start();
    this.stories = stories;
    this.errors = tables.errors();
    this.rows = new CursorRows(tables, key);
    this.placing = new CursorPlacing(tables, key);
    this.partitions = new PartitionPlacing(tables, subscription);
    this.isDivided = subscription.isDivided();
    this.declarations = new DeclarationTable(subscription.reader(), tables);
    this.pauses = new PauseTable(tables);
    this.resumed = new ResumedRows(tables, parked, key);
    this.connection = new RelayConnection<>(stories::open, errors);
  }

  @Override
  public CursorRow look() {
    return connection.call(
        "reading the cursor",
        s -> {
          Connection open = s.connection();
          Optional<CursorRows.Seen> newest = rows.seen(open);
          boolean isThere = newest.isPresent() && !newest.get().gone();
          if (isDivided || !isThere) {
            Optional<String> waits = partitions.waits(open);
            if (waits.isPresent()) {
              return CursorRow.toCome(waits.get());
            }
          }
          if (!isKnown && !isThere) {
            stories.checkServer(s);
            make(s);
            newest = rows.seen(open);
          }
          isKnown = true;
          CursorRows.Seen seen = newest.orElseThrow(() -> GoneSubscription.missing(key));
          if (seen.gone()) {
            placing.requireName(open);
            throw GoneSubscription.deleted(key);
          }
          return seen.row();
        });
  }

  /** Makes the subscription; where two do at the same time, the second finds it made. */
  private void make(S session) throws SQLException {
    Optional<Long> old;
    do {
      Optional<LedgerEdge> found = stories.walk(session, start);
      old = session.inTransaction(open -> make(open, found));
    } while (old.isEmpty());
    if (old.get() == 0) {
      tellOfNew();
    } else {
      tellOfOld(old.get());
    }
  }

  /**
   * Makes it in a transaction.
   *
   * @return from which position on it gets what others have read, 0 if it gets nothing of that; or
   *     empty where the ledger is to be walked again
   */
  private Optional<Long> make(Connection open, Optional<LedgerEdge> found) throws SQLException {
    if (!partitions.make(open, start, found)) {
      return Optional.empty();
    }
    return Optional.of(start.equals(Start.EARLIEST) ? placing.readByAnother(open) : 0L);
  }

  private void tellOfNew() {
    LOG.info(
        "subscription {} did not exist; created it, starting at {}", Printable.value(key), start);
  }

  private void tellOfOld(long first) {
    LOG.warn(
        "subscription {} did not exist; created it, starting at {}: it also gets the messages from"
            + " position {} on that are there already, and that other subscriptions have read. To"
            + " begin with new ones instead, stop its relays, skip to Start.NOW, and start them"
            + " again; from(Start.NOW) does so before the first start",
        Printable.value(key),
        start,
        first);
  }

  @Override
  public Optional<LeaseGrant> takeOver(
      CursorRow seen, UUID incarnation, Duration lease, Runnable asking) {
    return connection.call(
        "taking the lease", s -> stories.takeOver(s, seen, incarnation, lease, asking));
  }

  @Override
  public void checkPreconditions(long high) {
    connection.run("checking the ledger", s -> stories.check(s, high));
  }

  @Override
  public Page poll(PollRequest request) {
    return connection.call("reading the ledger", s -> stories.poll(s, request));
  }

  @Override
  public SaveOutcome save(Save row) {
    return connection.call("saving the cursor", s -> stories.save(s, row));
  }

  @Override
  public Set<Long> writers() {
    return connection.call("finding writers of the ledger", stories::writers);
  }

  @Override
  public String blockers() {
    return connection.call("finding transactions that block the ledger", stories::blockers);
  }

  @Override
  public List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit) {
    return connection.call("reading parked messages", s -> stories.due(s, routes, except, limit));
  }

  @Override
  public Map<String, Long> parkedElsewhere(Set<String> routes) {
    return connection.call("counting parked messages", s -> stories.parkedElsewhere(s, routes));
  }

  @Override
  public List<LeaseGrant.BlockedKey> releasable(Set<String> routes, int limit) {
    return connection.call("reading blocked keys", s -> stories.releasable(s, routes, limit));
  }

  @Override
  public List<ParkedMessage> held(String route, String key, int limit) {
    return connection.call("reading held messages", s -> stories.held(s, route, key, limit));
  }

  @Override
  public List<ParkedMessage> discards(ParkedPlace after, int limit) {
    return connection.call("reading requests to discard", s -> stories.discards(s, after, limit));
  }

  @Override
  public Set<Integer> slotsWithWork(Set<Integer> slots) {
    Map<Integer, Integer> partitions = new HashMap<>();
    Require.nonNull("slots", slots).forEach(slot -> partitions.put(slot, key.partitionOf(slot)));
    Set<Integer> busy =
        connection.call(
            "looking for requests",
            s -> stories.partitionsWithWork(s, Set.copyOf(partitions.values())));
    partitions.values().retainAll(busy);
    return partitions.keySet();
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
          stories.checkServer(s);
          DeclarationTable.untilNobodyElseDoes(errors, () -> s.inTransaction(change::on));
        });
  }

  @Override
  public Declarations declarations() {
    return connection.call("reading declarations", s -> declarations.current(s.connection()));
  }

  @Override
  public Pauses pauses() {
    return connection.call(
        "reading pauses", s -> pauses.current(s.connection(), key.subscription()));
  }

  @Override
  public int makeDue(Pauses paused, int limit) {
    return connection.call(
        "making messages due after a pause",
        s -> s.inTransaction(each -> resumed.makeDue(each, paused, limit)));
  }

  @Override
  public void purgeCursor(long newest) {
    connection.run("purging old rows of the cursor", s -> stories.purgeCursor(s, newest));
  }

  @Override
  public void close() {
    connection.close();
  }
}
