// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.store.CursorRow;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.InMemorySubscription;
import io.outledger.testing.ParkedRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One subscription: its relays, its broker, the consumer behind it, and its own checker. */
final class SimulatedSubscription {

  private final World world;
  private final Terms terms;
  private final Set<UUID> before;
  private final Journal journal;
  private final ModelBroker broker;
  private final ConsumerProcess consumer;
  private final Bookkeeping bookkeeping = new Bookkeeping();
  private final List<RelayProcess> relays = new ArrayList<>();
  private final Set<UUID> sent = new HashSet<>();
  private final Set<UUID> discarded = new HashSet<>();
  private final Set<UUID> lost = new HashSet<>();
  private long publishes;
  private int restores;
  private int openStores;
  private @Nullable UUID owner;

  SimulatedSubscription(World world, Terms terms, Start start, Set<UUID> before, Journal journal) {
    this.world = world;
    this.terms = terms;
    this.before = before;
    this.journal = journal;
    broker = new ModelBroker(world, this);
    consumer = new ConsumerProcess(world, this);
    for (int i = 1; i <= terms.relays; i++) {
      relays.add(new RelayProcess(world, this, terms.name + "-" + i));
    }
    try (RelayStore store = world.ledger().relayStore(terms.name, start)) {
      store.look(); // makes it
    }
  }

  Terms terms() {
    return terms;
  }

  Journal journal() {
    return journal;
  }

  ModelBroker broker() {
    return broker;
  }

  ConsumerProcess consumer() {
    return consumer;
  }

  Bookkeeping bookkeeping() {
    return bookkeeping;
  }

  List<RelayProcess> relays() {
    return relays;
  }

  InMemorySubscription inLedger() {
    return world.ledger().subscription(terms.name);
  }

  @Nullable UUID owner() {
    return owner;
  }

  /**
   * Returns whether a message is for it: of a topic that it wants, and not from before its start.
   */
  boolean wants(UUID id, @Nullable String topic) {
    return terms.topics.contains(topic) && !before.contains(id);
  }

  /** Returns the highest position of a message from before its start. */
  long startedAfter() {
    return world.ledger().messages().stream()
        .filter(m -> before.contains(m.message().id()))
        .mapToLong(LedgerMessage::position)
        .max()
        .orElse(0);
  }

  /** Opens a store for one of its relays. */
  RelayStore openStore() {
    openStores++;
    return world.ledger().relayStore(terms.name, Start.EARLIEST);
  }

  void storeClosed() {
    openStores--;
  }

  /** A restored database has numbers of its own. */
  void savedCursor(long n, UUID by) {
    journal.write(new Entry.Changed("cursor " + restores, n, Words.owner(by)));
  }

  void restored() {
    restores++;
    relays.forEach(RelayProcess::databaseRestored);
  }

  /** Returns whether a message that was sent may be sent again, as the database has it. */
  boolean isUnsettled(long position) {
    return !inLedger().frontier().isSettled(position)
        || inLedger().parked().stream().anyMatch(row -> row.message().position() == position);
  }

  void tookOver(RelayProcess process, long n, UUID successor) {
    relays.stream().filter(other -> other != process).forEach(RelayProcess::succeeded);
    owner = successor;
    savedCursor(n, successor);
    publishes(successor);
  }

  /** An owner found out too late to give its lease back, or was killed. */
  void leaseLost(UUID incarnation) {
    lost.add(incarnation);
  }

  /** What was sent, and whose fate nobody knows any more, may arrive once more. */
  void mayRepeat(String why, Collection<UUID> ids) {
    if (!ids.isEmpty()) {
      journal.write(new Entry.Crashed(why, ids.size()));
      ids.forEach(id -> journal.write(new Entry.MayRepeat(id)));
    }
  }

  /** What was sent is sent again, and what had died or was discarded gets another chance, late. */
  void replays(long from) {
    List<UUID> again =
        world.ledger().messages().stream()
            .filter(m -> m.position() >= from)
            .map(m -> m.message().id())
            .filter(this::wasSent)
            .toList();
    mayRepeat("replay", again);
    excuseDeadLetters();
    leaseLost(inLedger().newest().incarnation());
    relays.forEach(RelayProcess::moved);
  }

  void discarded(UUID id) {
    discarded.add(id);
    journal.write(new Entry.Discarded(id));
  }

  /** What had died, or was discarded, may now be published after all, late. */
  void excuseDeadLetters() {
    for (ParkedRow row : inLedger().parked()) {
      if (row.message().state() == ParkedState.DEAD) {
        journal.write(new Entry.Released(row.message().message().id()));
      }
    }
    discarded.forEach(id -> journal.write(new Entry.Released(id)));
  }

  /**
   * Takes note of what arrives. What its owner had sent before it was frozen or died may get
   * through after a successor has given the message up and its key has gone on: nobody can call it
   * back.
   */
  void arrives(UUID id) {
    boolean isDead =
        inLedger().parked().stream()
            .map(ParkedRow::message)
            .anyMatch(row -> row.state() == ParkedState.DEAD && row.message().id().equals(id));
    if (isDead || discarded.contains(id)) {
      journal.write(new Entry.Released(id));
    }
  }

  boolean wasSent(UUID id) {
    return sent.contains(id);
  }

  void sends(UUID id) {
    sent.add(id);
  }

  void publishes(UUID incarnation) {
    journal.write(new Entry.Changed("right to publish", ++publishes, Words.owner(incarnation)));
  }

  void heal() {
    broker.mend();
    relays.forEach(RelayProcess::heal);
  }

  /** Returns whether everything that was committed has come to its end everywhere. */
  boolean isDrained() {
    if (!consumer.isDone()
        || !relays.stream().allMatch(RelayProcess::isIdle)
        || relays.stream().noneMatch(RelayProcess::isOwner)) {
      return false;
    }
    InMemorySubscription saved = inLedger();
    return saved.frontier().open().isEmpty()
        && saved.frontier().high() >= lastVisible()
        && saved.parked().stream().allMatch(this::isAtItsEnd);
  }

  private long lastVisible() {
    List<LedgerMessage> visible = world.ledger().messages();
    return visible.isEmpty() ? 0 : visible.get(visible.size() - 1).position();
  }

  void stored(LedgerMessage one) {
    if (wants(one.message().id(), one.message().topic())) {
      journal.write(new Entry.Stored(one.message().id(), one.position()));
    }
  }

  void writeEndState() {
    consumer.writeEndState();
    InMemorySubscription saved = inLedger();
    for (ParkedRow row : saved.parked()) {
      boolean isDead = row.message().state() == ParkedState.DEAD;
      journal.write(new Entry.Parked(row.message().message().id(), isDead, row.message().blocks()));
    }
    journal.write(new Entry.Cursor(saved.frontier().high(), saved.frontier().open()));
    bookkeeping.figures().forEach(journal::write);
    long clients = relays.stream().mapToLong(RelayProcess::openClients).sum();
    journal.write(new Entry.Left("clients", clients, 0));
    journal.write(new Entry.Left("connections", openStores, 0));
    CursorRow newest = saved.newest();
    boolean isLeft = !newest.released() && !lost.contains(newest.incarnation());
    journal.write(new Entry.Left("leases", isLeft ? 1 : 0, 0));
  }

  private boolean isAtItsEnd(ParkedRow row) {
    if (row.message().state() == ParkedState.DEAD) {
      return row.request() == ParkedRow.Request.NONE;
    }
    String key = row.message().message().key();
    return inLedger().parked().stream()
        .map(ParkedRow::message)
        .anyMatch(
            other ->
                other.state() == ParkedState.DEAD
                    && other.blocks()
                    && key != null
                    && key.equals(other.message().key()));
  }
}
