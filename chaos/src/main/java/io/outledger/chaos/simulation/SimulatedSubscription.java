// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.store.CursorRow;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedPlace;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.Start;
import io.outledger.testing.InMemorySubscription;
import io.outledger.testing.ParkedRow;
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
  private final String title;
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

  /** Whether its relays are to be stopped, since it is to be deleted. */
  private boolean isGivenUp;

  /** As it stood when it was deleted; null while it is there. */
  private @Nullable InMemorySubscription last;

  /** What had been settled by then, and is not in a parked row. */
  private final Set<UUID> settledByThen = new HashSet<>();

  /**
   * What it is, and where it begins.
   *
   * @param terms what it is like
   * @param deletions how many of its name were deleted before
   * @param start where it begins
   * @param before the messages from before that
   */
  record Origin(Terms terms, int deletions, Start start, Set<UUID> before) {

    String title() {
      return deletions == 0 ? terms.name : terms.name + ", made again " + deletions;
    }
  }

  SimulatedSubscription(Origin origin, World world, Function<String, Journal> journals) {
    this.world = world;
    this.terms = origin.terms();
    this.title = origin.title();
    this.bookkeeping = new Bookkeeping(terms.routes.size() == 1);
    this.pausing = new Pausing(world, this);
    this.before = origin.before();
    this.journal = journals.apply(title);
    for (String route : terms.routes) {
      Journal ofRoute = routes.isEmpty() ? journal : journals.apply(title + "/" + route);
      routes.add(new SimulatedRoute(world, this, route, ofRoute));
    }
    for (int i = 1; i <= terms.relays; i++) {
      relays.add(new RelayProcess(world, this, title + "-" + i));
    }
    try (RelayStore store = world.ledger().relayStore(terms.name, origin.start())) {
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

  /** Returns it as the ledger has it, or had it when it was deleted. */
  InMemorySubscription inLedger() {
    return last == null ? world.ledger().subscription(terms.name) : last;
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

  /** Its relays stop, and none is started until somebody changes their mind. */
  void giveUp() {
    isGivenUp = true;
    relays.forEach(RelayProcess::stop);
  }

  boolean isGivenUp() {
    return isGivenUp || isDeleted();
  }

  /** It is gone, and so are its relays; what it had not settled is nobody's any more. */
  void wasDeleted(InMemorySubscription before, List<LedgerMessage> visible) {
    last = before;
    Set<Long> parked = new HashSet<>();
    before.parked().forEach(row -> parked.add(row.message().position()));
    visible.stream()
        .filter(one -> before.frontier().isSettled(one.position()))
        .filter(one -> !parked.contains(one.position()))
        .forEach(one -> settledByThen.add(one.message().id()));
    relays.forEach(RelayProcess::dieFromOutside);
    leaseLost(before.newest().incarnation());
    routes.forEach(route -> route.copies().expectNone());
  }

  boolean isDeleted() {
    return last != null;
  }

  /** Its consumers take what is left, without faults. */
  void consumeAll() {
    for (SimulatedRoute route : routes) {
      while (!route.consumer().isDone()) {
        route.consumer().act();
      }
    }
  }

  /** The database has made a save of one of its relays. */
  void saved(Save save) {
    for (ParkedChange change : save.changes()) {
      if (change instanceof ParkedChange.Remove remove) {
        route(remove.route()).copies().removed(ParkedPlace.of(remove));
      }
    }
  }

  /** What its relays have sent of these is settled in a route, and they are sent once more. */
  void accountsAnew(SimulatedRoute route, List<ParkedRow> copies) {
    Set<Long> positions = new HashSet<>();
    copies.forEach(row -> positions.add(row.message().position()));
    relays.forEach(relay -> relay.settled(route, positions));
  }

  /** Everything from a position on is read again. */
  void movesBack(long from) {
    routes.forEach(route -> route.movesBack(from));
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
    isGivenUp = false;
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
    UUID id = one.message().id();
    if (wants(id, one.message().topic())) {
      routes.forEach(route -> route.stored(one));
      if (isDeleted() && !settledByThen.contains(id)) {
        write(new Entry.Discarded(id));
      }
    }
  }

  void writeEndState() {
    routes.forEach(SimulatedRoute::writeEndState);
    bookkeeping.figures().forEach(journal::write);
    long clients = relays.stream().mapToLong(RelayProcess::clientsLeft).sum();
    journal.write(new Entry.Left("clients", clients, 0));
    journal.write(new Entry.Left("connections", openStores, 0));
    CursorRow newest = inLedger().newest();
    boolean isLeft = !newest.released() && !lost.contains(newest.incarnation());
    journal.write(new Entry.Left("leases", isLeft ? 1 : 0, 0));
  }

  @Override
  public String toString() {
    return title;
  }
}
