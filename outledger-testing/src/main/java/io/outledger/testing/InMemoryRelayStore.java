// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
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
import io.outledger.store.ServerIdentity;
import io.outledger.store.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * One relay's way into an in-memory ledger. Each call is one transaction under the ledger's lock.
 */
final class InMemoryRelayStore implements RelayStore {

  private final InMemoryLedger ledger;
  private final String name;
  private final Start start;
  private boolean isKnown;
  private volatile boolean closed;

  InMemoryRelayStore(InMemoryLedger ledger, String name, Start start) {
    this.ledger = ledger;
    this.name = name;
    this.start = start;
  }

  @Override
  public CursorRow look() {
    return transaction(
        () -> {
          InMemorySubscription found =
              isKnown ? ledger.stillThere(name, start) : ledger.subscribe(name, start);
          isKnown = true;
          return found.newest();
        });
  }

  @Override
  public Optional<LeaseGrant> takeOver(
      CursorRow seen, UUID incarnation, Duration lease, Runnable asking) {
    asking.run();
    return transaction(
        () -> {
          InMemorySubscription subscription = ledger.subscription(name);
          CursorLog cursor = subscription.cursor();
          ledger.checkPreconditions(cursor.frontier().high());
          ledger.identity().checkKnown(subscription.known());
          if (!cursor.newest().isOwnedBy(seen.n(), seen.incarnation())) {
            return Optional.empty();
          }
          ledger.drawTransactionId();
          cursor.insertNext(incarnation, lease, ledger.now(), cursor.newest().inRow());
          return Optional.of(grant(subscription));
        });
  }

  private LeaseGrant grant(InMemorySubscription subscription) {
    CursorLog cursor = subscription.cursor();
    ParkedTable parked = subscription.parkedTable();
    return new LeaseGrant(
        cursor.newest().n(),
        cursor.frontier(),
        cursor.overflow(),
        BlockedKeys.waiting(parked.all()),
        parked.among(cursor.frontier(), ledger::has),
        ledger.faults().server(),
        subscription.known());
  }

  @Override
  public void checkPreconditions(long high) {
    change(() -> ledger.checkPreconditions(high));
  }

  @Override
  public Page poll(PollRequest request) {
    return transaction(
        () -> {
          PageReader reader = ledger.read(request);
          CursorLog cursor = ledger.subscription(name).cursor();
          return new Page(
              reader.messages(),
              reader.readTo(),
              reader.withheld(),
              reader.isCut(),
              ledger.snapshot(),
              cursor.newest().n(),
              ledger.declarations(name).revision(),
              ledger.subscription(name).pauses().revision(),
              server(cursor.frontier().high(), request));
        });
  }

  /** Names no ledger where this is not the ledger that the relay or its cursor has read. */
  private ServerIdentity server(long high, PollRequest request) {
    ServerIdentity server = ledger.faults().server();
    return ledger.identity().isReset(high, request.known()) ? server.withOtherLedger() : server;
  }

  @Override
  public SaveOutcome save(Save save) {
    return transaction(
        () -> {
          InMemorySubscription subscription = ledger.find(name);
          if (subscription == null) {
            return new SaveOutcome.Fenced();
          }
          boolean isOwner = subscription.cursor().newest().isOwnedBy(save.n(), save.incarnation());
          if (!isOwner || !save.server().equals(ledger.faults().server())) {
            return new SaveOutcome.Fenced();
          }
          long transactionId = ledger.drawTransactionId();
          subscription.write(save, ledger.now());
          return new SaveOutcome.Saved(transactionId, ledger.faults().server());
        });
  }

  @Override
  public Set<Long> writers() {
    return transaction(ledger::writers);
  }

  @Override
  public String blockers() {
    return transaction(ledger::blockers);
  }

  @Override
  public List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit) {
    Instant now = ledger.now();
    return transaction(() -> parked().due(routes, except, limit, now));
  }

  @Override
  public List<ParkedMessage> untilResumed(ParkedPlace after, Pauses pauses, int limit) {
    return transaction(() -> parked().untilResumed(after, pauses, limit));
  }

  @Override
  public Map<String, Long> parkedElsewhere(Set<String> routes) {
    return transaction(() -> parked().elsewhere(routes));
  }

  @Override
  public List<LeaseGrant.BlockedKey> releasable(Set<String> routes, int limit) {
    return transaction(() -> BlockedKeys.releasable(parked().all(), routes, limit));
  }

  @Override
  public List<ParkedMessage> held(String route, String key, int limit) {
    return transaction(() -> parked().held(route, key, limit));
  }

  @Override
  public List<ParkedMessage> discards(ParkedPlace after, int limit) {
    return transaction(() -> parked().discards(after, limit));
  }

  private ParkedTable parked() {
    return ledger.subscription(name).parkedTable();
  }

  @Override
  public void declare(Declaring declaring) {
    change(() -> ledger.declarations(name).declare(declaring));
  }

  @Override
  public void declareAgain(Set<Declaration> has) {
    change(() -> ledger.declarations(name).declareAgain(has));
  }

  @Override
  public Declarations declarations() {
    return transaction(() -> ledger.declarations(name).current());
  }

  @Override
  public Pauses pauses() {
    return transaction(() -> ledger.subscription(name).pauses());
  }

  @Override
  public void purgeCursor(long newest) {
    change(() -> ledger.subscription(name).cursor().purge(newest));
  }

  @Override
  public void close() {
    closed = true;
  }

  private void change(Runnable work) {
    transaction(
        () -> {
          work.run();
          return name;
        });
  }

  private <T> T transaction(Supplier<T> work) {
    if (closed) {
      throw new StoreException(
          ErrorCode.CLOSED, "the store of subscription " + name + " is closed");
    }
    synchronized (ledger) {
      return ledger.faults().meet(work);
    }
  }
}
