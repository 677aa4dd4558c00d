// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.store.CursorRow;
import io.outledger.store.LedgerMessage;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.InMemorySubscription;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One subscription: its relays, and the routes that they serve. */
final class SimulatedSubscription {

  private final World world;
  private final Terms terms;
  private final Set<UUID> before;
  private final Journal journal;
  private final List<SimulatedRoute> routes = new ArrayList<>();
  private final Bookkeeping bookkeeping;
  private final Pausing pausing;
  private final List<RelayProcess> relays = new ArrayList<>();
  private final Set<UUID> lost = new HashSet<>();
  private long publishes;
  private int restores;
  private int openStores;
  private @Nullable UUID owner;

  SimulatedSubscription(
      World world, Terms terms, Start start, Set<UUID> before, Function<String, Journal> journals) {
    this.world = world;
    this.terms = terms;
    this.bookkeeping = new Bookkeeping(terms.routes.size() == 1);
    this.pausing = new Pausing(world, this);
    this.before = before;
    this.journal = journals.apply(terms.name);
    for (String route : terms.routes) {
      Journal ofRoute = routes.isEmpty() ? journal : journals.apply(terms.name + "/" + route);
      routes.add(new SimulatedRoute(world, this, route, ofRoute));
    }
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

  /** Returns the routes; the first one's journal is the subscription's too. */
  List<SimulatedRoute> routes() {
    return routes;
  }

  SimulatedRoute route(String name) {
    return routes.stream().filter(route -> route.name().equals(name)).findFirst().orElseThrow();
  }

  Bookkeeping bookkeeping() {
    return bookkeeping;
  }

  Pausing pausing() {
    return pausing;
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

  /** Returns whether an instance with all routes has declared them. */
  boolean isDeclaredWhole() {
    return world.ledger().declared(terms.name).current().size() == routes.size() + 1;
  }

  /** Returns whether a message has arrived at each of its routes' brokers. */
  boolean hasArrived(UUID id) {
    return routes.stream().allMatch(route -> route.broker().has(id));
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

  /** Everything from a position on is read again. */
  void replays(long from) {
    routes.forEach(route -> route.replays(from));
    leaseLost(inLedger().newest().incarnation());
    relays.forEach(RelayProcess::moved);
  }

  void publishes(UUID incarnation) {
    journal.write(new Entry.Changed("right to publish", ++publishes, Words.owner(incarnation)));
  }

  /** Writes what concerns each of its routes. */
  void write(Entry entry) {
    routes.forEach(route -> route.journal().write(entry));
  }

  void heal() {
    pausing.endAll();
    routes.forEach(route -> route.broker().mend());
    relays.forEach(RelayProcess::heal);
  }

  /** Returns whether everything that was committed has come to its end everywhere. */
  boolean isDrained() {
    if (!routes.stream().allMatch(SimulatedRoute::isDrained)
        || !relays.stream().allMatch(RelayProcess::isIdle)
        || relays.stream().noneMatch(RelayProcess::isOwner)) {
      return false;
    }
    InMemorySubscription saved = inLedger();
    return saved.frontier().open().isEmpty() && saved.frontier().high() >= lastVisible();
  }

  private long lastVisible() {
    List<LedgerMessage> visible = world.ledger().messages();
    return visible.isEmpty() ? 0 : visible.get(visible.size() - 1).position();
  }

  void stored(LedgerMessage one) {
    if (wants(one.message().id(), one.message().topic())) {
      routes.forEach(route -> route.stored(one));
    }
  }

  void writeEndState() {
    routes.forEach(SimulatedRoute::writeEndState);
    bookkeeping.figures().forEach(journal::write);
    long clients = relays.stream().mapToLong(RelayProcess::openClients).sum();
    journal.write(new Entry.Left("clients", clients, 0));
    journal.write(new Entry.Left("connections", openStores, 0));
    CursorRow newest = inLedger().newest();
    boolean isLeft = !newest.released() && !lost.contains(newest.incarnation());
    journal.write(new Entry.Left("leases", isLeft ? 1 : 0, 0));
  }
}
