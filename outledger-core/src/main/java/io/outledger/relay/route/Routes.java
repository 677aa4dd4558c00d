// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.Subject;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import io.outledger.store.Division;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LeaseGrant.BlockedKey;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.RelayStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * All routes of an owner, from the messages that were read to the positions and parked rows that
 * the next save is to write. Used by the relay's thread, except for {@link #abort()}.
 */
public final class Routes {

  private final RelayContext context;
  private final BooleanSupplier mayPublish;
  private final PendingSave pendingSave;
  private final Map<String, RouteDispatcher> routes = new LinkedHashMap<>();
  private final ParkedWork parkedWork;
  private final RelayStore store;
  private final Declaring declaring;
  private final LackedDeclarations lacked;
  private final KnownPauses pauses = new KnownPauses();
  private final OtherRoutes others;
  private final RouteShare share;

  /** Whether it was told that reading waits for what is lacked. */
  private boolean isToldFull;

  /** The same routes, and the preparation of one message after the other in each of them. */
  private final RouteDispatcher[] dispatchers;

  private final Preparation[] inRoutes;

  /** Whether transforms or routes, whose code may take its time, look at each message. */
  private final boolean runsUserCode;

  /** The messages that were read but not yet dispatched to the routes. */
  private final Deque<LedgerMessage> undispatched = new ArrayDeque<>();

  /**
   * Opens the routes as a lease was taken.
   *
   * @param grant says which keys are blocked and which messages are parked
   * @param mayPublish asked before each message whether it may still be sent
   */
  public Routes(
      RelayStore store,
      List<Route> routes,
      RelayContext context,
      LeaseGrant grant,
      BooleanSupplier mayPublish) {
    this.context = context;
    this.share = RouteShare.of(context.options(), routes.size());
    Map<String, List<BlockedKey>> releasable = new LinkedHashMap<>(); // before a client is opened
    for (Route route : routes) {
      releasable.put(route.name(), store.releasable(Set.of(route.name()), share.keysMax()));
    }
    this.mayPublish = mayPublish;
    this.pendingSave = new PendingSave(routes.size());
    this.store = store;
    this.declaring = context.options().declaring(routes);
    this.lacked =
        new LackedDeclarations(declaring, context.options().transforms().mayChangeMessages());
    SharedByRoutes shared = new SharedByRoutes(pendingSave, lacked, pauses, mayPublish, share);
    this.others = new OtherRoutes(context, shared, share.keysMax());
    for (Route route : routes) {
      this.routes.put(route.name(), new RouteDispatcher(route, context, shared));
    }
    this.dispatchers = this.routes.values().toArray(new RouteDispatcher[0]);
    this.inRoutes = new Preparation[dispatchers.length];
    this.runsUserCode =
        !context.options().transforms().equals(Transforms.NONE)
            || !routes.stream().allMatch(Route::acceptsAll);
    load(grant);
    this.parkedWork =
        new ParkedWork(
            store,
            context,
            pendingSave,
            this.routes,
            new ParkedWork.Known(this::parkingOf, pauses::all, share.keysMax()));
    releasable.forEach(parkedWork::load);
  }

  private void load(LeaseGrant grant) {
    grant.blocked().forEach(key -> parkingOf(key.route()).keys().load(key));
    grant.parked().forEach(place -> parkingOf(place.route()).load(place));
  }

  /** Returns the parking of a route, even of one that this owner does not have. */
  private RouteParking parkingOf(String name) {
    RouteDispatcher route = routes.get(name);
    return route == null ? others.get(name) : route.parking();
  }

  /** Returns whether a page shows something else to be declared than is known here. */
  public boolean knowsOther(long declared) {
    return lacked.differs(declared, context.time().nanoTime());
  }

  /**
   * Learns what is declared now, before anything of a page is dispatched that has shown it. The
   * store must not be reading meanwhile.
   */
  public void learnDeclarations() {
    Declarations declared = store.declarations();
    Set<Declaration> ended = declaring.endedIn(declared);
    if (!ended.isEmpty()) {
      store.declare(declaring.again());
      context.listener().on(new RelayEvent.DeclaredAgain(ended));
      declared = store.declarations();
    }
    if (lacked.take(declared, context.time().nanoTime())) {
      others.learn(route -> !store.releasable(Set.of(route), 1).isEmpty());
      parkedWork.mayHaveResumed();
      context.listener().on(new RelayEvent.Lacks(Set.copyOf(lacked.all())));
    }
  }

  /** Returns whether a page shows something else to be paused than is known here. */
  public boolean knowsOtherPauses(long paused) {
    boolean isOther = pauses.differs(paused);
    if (!isOther) {
      pauses.seen(context.time().nanoTime());
    }
    return isOther;
  }

  /** Returns whether no page has shown for long what is paused, so that it must be asked for. */
  public boolean pausesAreOld() {
    return pauses.isOld(context.time().nanoTime());
  }

  /** Learns what is paused now. The store must not be reading meanwhile. */
  public void learnPauses() {
    long now = context.time().nanoTime();
    if (pauses.take(store.pauses(), now)) {
      routes.values().forEach(route -> route.pause(pauses, now));
      parkedWork.mayHaveResumed();
      context
          .listener()
          .on(new RelayEvent.PausesChanged(Set.copyOf(pauses.all().current().values())));
    }
  }

  /** Returns up to where the partition is read before others take its keys; no end by default. */
  public long readUpTo() {
    Division division = pauses.all().division();
    return division == null ? Long.MAX_VALUE : division.upTo();
  }

  /** Returns what is declared and this owner does not have. */
  public Set<Declaration> lacked() {
    return lacked.all();
  }

  /** Returns whether an instance stands by that has what this owner lacks. */
  public boolean isLackedOnOffer() {
    return lacked.isOnOffer();
  }

  /** Returns what the next save is to write. */
  public PendingSave pendingSave() {
    return pendingSave;
  }

  /** Takes messages that were read, in order; {@link #dispatch()} hands them to the routes. */
  public void add(List<LedgerMessage> read) {
    undispatched.addAll(read);
  }

  /** Returns whether messages that were read have not been dispatched yet. */
  public boolean hasUndispatched() {
    return !undispatched.isEmpty();
  }

  /**
   * Dispatches what was read; user code may take its time, and the rest then follows in a later
   * step. So does what the next save has no room for. Where no user code runs, the clock is not
   * read for each message.
   */
  public void dispatch() {
    while (!undispatched.isEmpty()
        && pendingSave.room() > 0
        && (!runsUserCode || mayPublish.getAsBoolean())) {
      dispatch(undispatched.poll());
    }
  }

  private void dispatch(LedgerMessage origin) {
    if (origin.erased()) {
      passOver(origin);
      return;
    }
    Preparation prepared = Preparation.of(context.options().transforms(), origin);
    boolean isWanted = false;
    for (int i = 0; i < inRoutes.length; i++) {
      inRoutes[i] = dispatchers[i].prepare(prepared, origin);
      isWanted |= !inRoutes[i].isSkipped();
    }
    Map<String, Declaration> wanting =
        lacked.isEmpty() ? Map.of() : others.wanting(origin, prepared, routes);
    if (!isWanted && wanting.isEmpty()) {
      pendingSave.passedOver(origin.position());
      return;
    }
    pendingSave.alsoForOthers(origin, wanting.size());
    for (int i = 0; i < inRoutes.length; i++) {
      dispatchers[i].enqueue(origin, inRoutes[i]);
    }
    wanting.values().forEach(declared -> others.park(origin, declared));
  }

  /** There is nothing left of it that anybody could publish. */
  private void passOver(LedgerMessage erased) {
    UUID id = erased.message().id();
    pendingSave.passedOver(erased.position());
    pendingSave.change(new ParkedChange.PassOver(erased.position(), id));
    context
        .listener()
        .on(new RelayEvent.Erased(new Subject(id, erased.message().key(), erased.position(), "")));
  }

  /** Collects outcomes, and sends what may be sent, in every route. */
  public void publish() {
    routes.values().forEach(RouteDispatcher::publish);
  }

  /**
   * Parks what a destination that has been down for long keeps from the other routes; while none
   * can be reached, there is nothing to make room for.
   */
  public void makeRoom() {
    if (!isAllDown()) {
      boolean othersGoOn = routes.values().stream().anyMatch(route -> !route.isDown());
      routes.values().forEach(route -> route.makeRoom(othersGoOn));
    }
  }

  /** Takes back what was handed over and has not begun, so that it need not be waited for. */
  public void recall() {
    routes.values().forEach(RouteDispatcher::recall);
  }

  /** Parks what the next owner would otherwise publish again in another route. */
  public void parkForSuccessor() {
    if (routes.size() > 1) {
      routes.values().forEach(RouteDispatcher::parkForSuccessor);
    }
  }

  /**
   * Brings back the parked messages whose time has come, and returns how many those were. Called
   * when nothing is pending to be saved, so that the rows are up to date.
   */
  public int bringBack(long now) {
    return parkedWork.bringBack(now);
  }

  /** Reports messages that have had no outcome for long. */
  public void lookForLongDeliveries(long now) {
    routes.values().forEach(route -> route.lookForLongDeliveries(now));
  }

  /** Takes note that everything pending has been saved, by a save that began then. */
  public void saved(long askedAt, Duration took) {
    parkedWork.saved(pendingSave.changes(), askedAt);
    pendingSave.hasTaken(took, context.options().lease());
    pendingSave.saved();
    routes.values().forEach(route -> route.parking().keys().saved());
    others.saved();
    tellWhetherFull();
  }

  private void tellWhetherFull() {
    boolean isFull = isFull();
    if (isFull != isToldFull) {
      isToldFull = isFull;
      Set<Declaration> waitedFor = isFull ? Set.copyOf(lacked.all()) : Set.of();
      context.listener().on(new RelayEvent.WaitsForOthers(waitedFor, share.keysMax()));
    }
  }

  /**
   * Returns whether more keys are blocked than memory is to hold, in a route that lacks something:
   * each message that is read could be one more.
   */
  private boolean isFull() {
    return !lacked.isEmpty()
        && routes.values().stream()
            .filter(route -> lacked.routes().contains(route.name()))
            .anyMatch(route -> route.parking().keys().keys() > share.keysMax());
  }

  /**
   * Returns whether nothing is read: no destination can be reached, parked messages go first, or
   * too many of them wait for an instance that has what this one lacks.
   */
  public boolean readingWaits() {
    return isAllDown() || rowsGoFirst() || isFull();
  }

  /** Returns whether the destination of at least one route cannot be reached. */
  public boolean isAnyDown() {
    return routes.values().stream().anyMatch(RouteDispatcher::isDown);
  }

  /**
   * Returns whether no route's destination can be reached, and none needs more messages to find out
   * who is to blame.
   */
  private boolean isAllDown() {
    return routes.values().stream().noneMatch(RouteDispatcher::wantsMore);
  }

  /** Returns whether reading waits until a route has worked off parked messages. */
  public boolean rowsGoFirst() {
    return routes.values().stream().anyMatch(RouteDispatcher::rowsGoFirst);
  }

  /** Returns how many messages have been sent and have no outcome yet. */
  public int inFlightCount() {
    return routes.values().stream().mapToInt(RouteDispatcher::inFlightCount).sum();
  }

  /** Returns how long until a route has something to do by itself, at most {@code idle}. */
  public Duration nextIn(long now, Duration idle) {
    Duration next = idle;
    for (RouteDispatcher route : routes.values()) {
      next = route.nextIn(now, next);
    }
    return next;
  }

  /** Closes all routes; the next owner publishes again what is in flight. */
  public void close() {
    routes.values().forEach(RouteDispatcher::close);
  }

  /** Ends all sending, from any thread. */
  public void abort() {
    routes.values().forEach(RouteDispatcher::abort);
  }
}
