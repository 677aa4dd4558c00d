// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedPlace;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.ServerIdentity;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A relay's time as the owner of its subscription, from a taken lease to its end. All it knows it
 * has loaded or read itself; when anything is in doubt it ends, and everything is loaded again.
 */
final class ActiveRelay {

  /** A quarter of the window is saved at once: to wait for more would hardly spare a save. */
  private static final int SAVED_AT_ONCE = 4;

  private final RelayStore store;
  private final RelayContext context;
  private final UUID incarnation;
  private final ServerIdentity server;
  private final PendingSave pendingSave;
  private final Map<String, RouteDispatcher> routes = new LinkedHashMap<>();
  private final Progress progress;
  private final LeaseClock leaseClock;
  private final ParkedWork parkedWork;
  private final Housekeeping housekeeping;
  private final Reading reading;
  private final PollPace pace;

  /** The messages that were read but not yet dispatched to the routes. */
  private final Deque<LedgerMessage> undispatched = new ArrayDeque<>();

  private long n;
  private long savedAllAt;
  private int published;
  private int filtered;
  private boolean handingOver;
  private boolean released;
  private boolean more;
  private volatile boolean aborted;
  private @Nullable String lost;

  ActiveRelay(
      RelayStore store, List<Route> routes, RelayContext context, LeaseGrant grant, Claim claim) {
    long now = context.time().nanoTime();
    RelayOptions options = context.options();
    this.store = store;
    this.context = context;
    this.incarnation = claim.incarnation();
    this.server = grant.server();
    this.n = grant.n();
    this.pendingSave = new PendingSave(routes.size());
    this.leaseClock = new LeaseClock(context.time(), options.lease(), claim.askedAt());
    this.progress = new Progress(grant, options);
    RouteShare share = RouteShare.of(options, routes.size());
    for (Route route : routes) {
      this.routes.put(
          route.name(), new RouteDispatcher(route, context, pendingSave, this::mayPublish, share));
    }
    for (LeaseGrant.BlockedKey key : grant.blocked()) {
      RouteDispatcher route = this.routes.get(key.route());
      if (route != null) {
        route.blocks().load(key);
      }
    }
    for (ParkedPlace place : grant.parked()) {
      RouteDispatcher route = this.routes.get(place.route());
      if (route != null) {
        route.parking().load(place.position());
      }
    }
    this.parkedWork = new ParkedWork(store, context, pendingSave, this.routes);
    this.housekeeping = new Housekeeping(store, context, now, n);
    this.pace = new PollPace(options, now);
    this.reading = new Reading(store, context, progress, housekeeping, this::accept);
  }

  /** A request for a lease: its owner, and its time by the monotonic clock. */
  record Claim(UUID incarnation, long askedAt) {}

  UUID incarnation() {
    return incarnation;
  }

  /** Returns why the subscription is no longer owned, or null while it is. */
  @Nullable String lost() {
    return lost;
  }

  Frontier frontier() {
    return progress.frontier();
  }

  boolean isReleased() {
    return released;
  }

  /**
   * Begins to hand over: nothing new is published, and the lease is given back when all is settled.
   */
  void handOver() {
    handingOver = true;
  }

  /** Goes on after {@link #handOver}, where the lease was not given back yet. */
  void rejoin() {
    handingOver = false;
  }

  /** Takes one step. */
  StepReport step() {
    published = 0;
    filtered = 0;
    if (aborted || !leaseClock.isValid()) {
      lost = "the lease expired before the relay renewed it";
      return report();
    }
    if (pendingSave.isEmpty()) {
      savedAllAt = context.time().nanoTime();
    }
    if (leaseClock.renewalIsDue() && !isHandedOver() && reading.finish()) {
      save();
    }
    if (lost == null) {
      fetchAndPublish();
    }
    if (lost == null && isHandedOver() && routes.size() > 1) {
      routes.values().forEach(RouteDispatcher::parkForSuccessor);
    }
    if (lost == null && reading.finish() && saveIsDue()) {
      save();
    }
    if (lost == null && !handingOver) {
      bringBackAndLookAfter();
    }
    return report();
  }

  private void fetchAndPublish() {
    publish();
    if (!handingOver) {
      fetch();
      if (lost == null) {
        dispatch();
      }
    }
    if (lost == null) {
      publish();
    }
    if (!isAllDown()) {
      routes.values().forEach(RouteDispatcher::makeRoom);
    }
  }

  private void bringBackAndLookAfter() {
    boolean rowsAreUpToDate =
        pendingSave.isEmpty() && undispatched.isEmpty() && progress.hasReadOpen();
    long now = context.time().nanoTime();
    if (rowsAreUpToDate) {
      int count = parkedWork.bringBack(now);
      more |= count > 0;
    }
    if (housekeeping.keep(progress, n)) {
      reading.forgetNext();
    }
    routes.values().forEach(route -> route.lookForLongDeliveries(now));
  }

  /** Ends all sending and forgets everything; what was in flight is published again. */
  int end() {
    int inFlight = inFlightCount();
    routes.values().forEach(RouteDispatcher::close);
    reading.end();
    return inFlight;
  }

  /** Ends all sending where the deadline has passed; from any thread. */
  void abortIfLate() {
    if (!leaseClock.isValid()) {
      aborted = true;
      routes.values().forEach(RouteDispatcher::abort);
    }
  }

  Duration untilDeadline() {
    return Duration.ofNanos(Math.max(0, leaseClock.leftNanos()));
  }

  boolean isDown() {
    return routes.values().stream().anyMatch(RouteDispatcher::isDown);
  }

  boolean isTryingRows() {
    return inFlightCount() > 0 || isWaitingForRows();
  }

  /** Returns whether no route's destination can be reached. */
  private boolean isAllDown() {
    return routes.values().stream().allMatch(RouteDispatcher::isDown);
  }

  private boolean mayPublish() {
    return !handingOver && leaseClock.leavesTimeToWork();
  }

  private void publish() {
    routes.values().forEach(RouteDispatcher::publish);
  }

  private void fetch() {
    boolean mayRead = undispatched.isEmpty() && !isAllDown() && !isWaitingForRows();
    Page page = mayRead ? reading.next() : null;
    if (page != null) {
      more = page.more() || reading.hasNext();
      if (!page.messages().isEmpty()) {
        pace.came(context.time().nanoTime());
      }
      undispatched.addAll(page.messages());
    }
  }

  /** Takes a page where its owner is still this one; else notes what has ended this grant. */
  private boolean accept(Page page) {
    if (isStrange(page.server())) {
      lost = "a different server or ledger answered";
    } else if (page.newest() != n) {
      lost = "another relay took the lease";
    }
    return lost == null;
  }

  /**
   * Hands what was read to the routes; the transforms' code may take its time, and then continues
   * later.
   */
  private void dispatch() {
    while (!undispatched.isEmpty() && mayPublish()) {
      dispatch(undispatched.poll());
    }
  }

  private void dispatch(LedgerMessage origin) {
    Preparation prepared = Preparation.of(context.options().transforms, origin);
    Preparation[] inRoutes = new Preparation[routes.size()];
    boolean isWanted = false;
    int at = 0;
    for (RouteDispatcher route : routes.values()) {
      Preparation inRoute = route.prepare(prepared, origin);
      inRoutes[at++] = inRoute;
      isWanted |= !inRoute.isSkipped();
    }
    if (!isWanted) {
      pendingSave.passedOver(origin.position());
      return;
    }
    at = 0;
    for (RouteDispatcher route : routes.values()) {
      route.enqueue(origin, inRoutes[at++]);
    }
  }

  private boolean saveIsDue() {
    return (!pendingSave.isEmpty() && !saveMayWait())
        || progress.wantsWitness()
        || housekeeping.wantsSave()
        || leaseClock.renewalIsDue()
        || isHandedOver();
  }

  /**
   * Settled positions occupy the window until they are saved. While the window has room, a save may
   * wait briefly for more of them, and for the next page if it is ready: a crash never republishes
   * more than a window, and fewer saves have to reach the disk.
   */
  private boolean saveMayWait() {
    return pendingSave.changes().isEmpty() && (mayReadOn() || untilSave() > 0);
  }

  /** Returns how many nanoseconds settled positions may still wait for a save. */
  private long untilSave() {
    RelayOptions options = context.options();
    boolean isMuch = pendingSave.settledCount() >= options.window.messages() / SAVED_AT_ONCE;
    if (handingOver || isMuch || progress.room(options) == 0) {
      return 0;
    }
    long waited = context.time().nanoTime() - savedAllAt;
    return Math.max(0, options.lease.saveWait().toNanos() - waited);
  }

  /** Says whether there is more to hand to the routes, which need not be waited for. */
  private boolean mayReadOn() {
    boolean isThere = !undispatched.isEmpty() || (more && progress.room(context.options()) > 0);
    return isThere && !handingOver && !isAllDown() && !isWaitingForRows();
  }

  private boolean isWaitingForRows() {
    return routes.values().stream().anyMatch(RouteDispatcher::rowsGoFirst);
  }

  private boolean isHandedOver() {
    return handingOver && inFlightCount() == 0;
  }

  private int inFlightCount() {
    return routes.values().stream().mapToInt(RouteDispatcher::inFlightCount).sum();
  }

  private void save() {
    boolean release = isHandedOver();
    int newlyPublished = pendingSave.publishedCount();
    int newlyFiltered = pendingSave.filteredCount();
    long askedAt = context.time().nanoTime();
    progress.settled(pendingSave.settledPositions());
    Positions overflow = progress.nextOverflow();
    List<ParkedChange> changes = pendingSave.changes();
    Duration lease = release ? Duration.ZERO : context.options().lease();
    SaveOutcome outcome =
        store.save(
            new Save(
                n,
                incarnation,
                server,
                lease,
                progress.toSave(),
                progress.overflow(),
                overflow,
                changes,
                progress.known()));
    if (!(outcome instanceof SaveOutcome.Saved saved)) {
      lost = "another relay took the lease, or a different server or ledger answered";
      return;
    }
    n++;
    leaseClock.renewed(askedAt);
    progress.saved(overflow, saved.witness());
    pendingSave.saved();
    routes.values().forEach(route -> route.blocks().saved());
    parkedWork.saved(changes, askedAt);
    housekeeping.saved();
    released = release;
    published += newlyPublished;
    filtered += newlyFiltered;
    context.listener().on(new RelayEvent.Saved(progress.frontier(), newlyPublished, newlyFiltered));
    if (isStrange(saved.server())) {
      lost = "a different server or ledger answered";
    }
  }

  private boolean isStrange(ServerIdentity answered) {
    return !answered.equals(server);
  }

  private StepReport report() {
    StepReport.State state =
        released
            ? StepReport.State.RELEASED
            : lost == null ? StepReport.State.OWNER : StepReport.State.STANDBY;
    long pending = progress.unsettledCount() - pendingSave.settledCount();
    return new StepReport(state, published, filtered, pending, nextIn());
  }

  private Duration nextIn() {
    if (lost != null || mayReadOn()) {
      return Duration.ZERO;
    }
    long now = context.time().nanoTime();
    Duration next = pace.next(now);
    if (!pendingSave.isEmpty()) {
      next = Collections.min(List.of(next, Duration.ofNanos(untilSave())));
    }
    for (RouteDispatcher route : routes.values()) {
      next = route.nextIn(now, next);
    }
    return next;
  }
}
