// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.Printable;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.GoneSubscription;
import io.outledger.jdbc.spi.LedgerEdge;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a relay needs, on H2, over one connection of its own. After any failure the connection is
 * closed, and the next call opens another. Each story has its class; this one only opens, calls and
 * closes. Used by one thread.
 */
final class H2RelayStore implements RelayStore {

  private static final Logger LOG = LoggerFactory.getLogger(H2RelayStore.class);

  private final CursorKey key;
  private final CursorRows rows;
  private final TakeOver takeOver;
  private final Start start;
  private final LedgerScan scan;
  private final CursorPlacing placing;
  private final LedgerPreconditions preconditions;
  private final LedgerPoll poll;
  private final CursorSave save;
  private final Writers writers;
  private final Blockers blockers;
  private final ParkedReads parked;
  private final CursorPurge purge;
  private final DeclarationTable declarations;
  private final RelayConnection<Session> connection;
  private boolean isKnown;

  /** Creates it, without I/O. */
  H2RelayStore(DataSource dataSource, Tables tables, RelaySubscription subscription) {
    this.key = subscription.key();
    this.connection = new RelayConnection<>(() -> Session.open(dataSource, tables), H2Errors.TABLE);
    this.start = subscription.start();
    this.rows = new CursorRows(tables, key);
    this.takeOver = new TakeOver(tables, key);
    this.scan = new LedgerScan(tables);
    this.placing = new CursorPlacing(tables, key);
    this.preconditions = new LedgerPreconditions(tables, key);
    this.writers = new Writers(tables);
    this.declarations = new DeclarationTable(subscription.reader(), tables::in);
    this.poll = new LedgerPoll(tables, key, writers, declarations);
    this.save = new CursorSave(tables, key);
    this.blockers = new Blockers(tables);
    this.parked = new ParkedReads(tables, key);
    this.purge = new CursorPurge(tables, key);
  }

  @Override
  public CursorRow look() {
    return connection.call(
        "reading the cursor",
        s -> {
          Connection open = s.connection();
          if (!isKnown && rows.present(open).isEmpty()) {
            preconditions.checkServer(open);
            make(s);
          }
          isKnown = true;
          CursorRows.Row row = rows.newest(open).orElseThrow(() -> GoneSubscription.missing(key));
          if (row.gone()) {
            throw GoneSubscription.deleted(key);
          }
          return new CursorRow(
              row.n(),
              row.incarnation(),
              row.lease(),
              row.lapsed(),
              row.released(),
              Declaration.read(row.lacking()));
        });
  }

  /** Makes the subscription; where two do at the same time, the second finds it made. */
  private void make(Session s) throws SQLException {
    boolean isMade;
    do {
      Optional<LedgerEdge> found = scan.edge(s.connection(), start);
      isMade = s.inTransaction(open -> placing.make(open, start, found));
    } while (!isMade);
    LOG.info(
        "subscription {} did not exist; created it, starting at {}", Printable.value(key), start);
  }

  @Override
  public Optional<LeaseGrant> takeOver(
      CursorRow seen, UUID incarnation, Duration lease, Runnable asking) {
    return connection.call(
        "taking the lease", s -> takeOver.takeOver(s, seen, incarnation, lease, asking));
  }

  @Override
  public void checkPreconditions(long high) {
    connection.run("checking the ledger", s -> preconditions.check(s.connection(), high));
  }

  @Override
  public Page poll(PollRequest request) {
    return connection.call("reading the ledger", s -> poll.poll(s, request));
  }

  @Override
  public SaveOutcome save(Save row) {
    return connection.call(
        "saving the cursor",
        s -> {
          if (!save.save(s, row)) {
            return new SaveOutcome.Fenced();
          }
          writers.look(s.connection());
          return new SaveOutcome.Saved(writers.witness(), s.server());
        });
  }

  @Override
  public Set<Long> writers() {
    return connection.call(
        "finding writers of the ledger",
        s -> {
          writers.look(s.connection());
          return writers.numbers();
        });
  }

  @Override
  public String blockers() {
    return connection.call(
        "finding transactions that block the ledger", s -> blockers.describe(s.connection()));
  }

  @Override
  public List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit) {
    return connection.call(
        "reading parked messages", s -> parked.due(s.connection(), routes, except, limit));
  }

  @Override
  public Map<String, Long> parkedElsewhere(Set<String> routes) {
    return connection.call(
        "counting parked messages", s -> parked.elsewhere(s.connection(), routes));
  }

  @Override
  public List<ParkedMessage> held(String route, String key, int limit) {
    return connection.call(
        "reading held messages", s -> parked.held(s.connection(), route, key, limit));
  }

  @Override
  public List<ParkedMessage> discards(ParkedPlace after, int limit) {
    return connection.call(
        "reading requests to discard", s -> parked.discards(s.connection(), after, limit));
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
          preconditions.checkServer(s.connection());
          DeclarationTable.untilNobodyElseDoes(H2Errors.TABLE, () -> s.inTransaction(change::on));
        });
  }

  @Override
  public Declarations declarations() {
    return connection.call("reading declarations", s -> declarations.current(s.connection()));
  }

  @Override
  public void purgeCursor(long newest) {
    connection.run("purging old rows of the cursor", s -> purge.purge(s.connection(), newest));
  }

  @Override
  public void close() {
    connection.close();
  }
}
