// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.relay.reading.Progress;
import io.outledger.relay.reading.Reading;
import io.outledger.relay.route.PendingSave;
import io.outledger.relay.route.Routes;
import io.outledger.store.Declaration;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A relay's time as the owner of its subscription, from a taken lease to its end. All it knows it
 * has loaded or read itself; when anything is in doubt it ends, and everything is loaded again.
 */
final class ActiveRelay {

  private final RelayContext context;
  private final Partition partition;
  private final OwnCursor cursor;
  private final Routes routes;
  private final PendingSave pendingSave;
  private final Progress progress;
  private final LeaseClock leaseClock;
  private final Reading reading;
  private final PollPace pace;
  private final SaveDelay saveDelay;
  private final long tookOverAt;
  private int published;
  private int filtered;
  private boolean handingOver;
  private boolean hasRecalled;
  private boolean more;
  private Set<Declaration> lackedAsSaved = Set.of();
  private volatile boolean aborted;
  private Ownership ownership = Ownership.Held.IT;

  ActiveRelay(
      Partition partition,
      List<Route> routes,
      RelayContext context,
      LeaseGrant grant,
      Claim claim) {
    long now = context.time().nanoTime();
    RelayOptions options = context.options();
    RelayStore store = partition.store();
    this.context = context;
    this.partition = partition;
    this.cursor = new OwnCursor(store, claim.incarnation(), grant);
    this.leaseClock = new LeaseClock(context.time(), options.lease(), claim.askedAt());
    this.progress = new Progress(grant, options);
    this.routes = new Routes(store, routes, context, grant, this::mayPublish);
    this.pendingSave = this.routes.pendingSave();
    this.tookOverAt = now;
    this.pace = new PollPace(options, now);
    this.saveDelay = new SaveDelay(options, now);
    this.reading = new Reading(store, context, progress, grant.n(), cursor::endedBy);
  }

  /** A request for a lease: its owner, and its time by the monotonic clock. */
  record Claim(UUID incarnation, long askedAt) {}

  UUID incarnation() {
    return cursor.incarnation();
  }

  /** Returns whether the subscription is owned after the last step. */
  Ownership ownership() {
    return ownership;
  }

  Frontier frontier() {
    return progress.frontier();
  }

  /**
   * Begins to hand over: nothing new is published, and the lease is given back when all is settled;
   * or goes on, where it was not given back yet.
   */
  void handsOver(boolean begins) {
    handingOver = begins;
    hasRecalled &= begins;
  }

  /** Takes one step. */
  StepReport step() {
    published = 0;
    filtered = 0;
    pendingSave.stepBegins();
    if (pendingSave.isEmpty()) {
      saveDelay.nothingIsPending(context.time().nanoTime());
    }
    ownership =
        checkLease()
            .then(this::renew)
            .then(this::fetchAndPublish)
            .then(this::finishReading)
            .then(() -> saveIsDue() ? save() : Ownership.Held.IT)
            .then(this::bringBackAndLookAfter);
    return report();
  }

  private Ownership checkLease() {
    return aborted || !leaseClock.isValid()
        ? new Ownership.Lost("the lease expired before the relay renewed it")
        : Ownership.Held.IT;
  }

  private Ownership renew() {
    return leaseClock.renewalIsDue() && !isHandedOver()
        ? finishReading().then(this::save)
        : Ownership.Held.IT;
  }

  private Ownership fetchAndPublish() {
    handOverToOneWithMore();
    handOverWhatIsDivided();
    return lookForPauses().then(this::saveAndFetch).then(this::publish);
  }

  /**
   * Saves what has become of parked messages first, unless a backlog is read: what commits during
   * the save is read, and goes out, before more of them are brought back.
   */
  private Ownership saveAndFetch() {
    routes.publish();
    if (handingOver || pendingSave.isCatchingUp()) {
      return Ownership.Held.IT;
    }
    boolean mayWait = pendingSave.changes().isEmpty() || reading.hasNext();
    return mayWait ? fetch() : finishReading().then(this::save).then(this::fetch);
  }

  private Ownership publish() {
    if (!handingOver) {
      routes.dispatch();
    } else if (!hasRecalled) {
      hasRecalled = true;
      routes.recall();
    }
    routes.publish();
    routes.makeRoom();
    if (isHandedOver()) {
      routes.parkForSuccessor();
    }
    return Ownership.Held.IT;
  }

  private Ownership bringBackAndLookAfter() {
    if (handingOver) {
      return Ownership.Held.IT;
    }
    boolean rowsAreUpToDate =
        pendingSave.isEmpty() && !routes.hasUndispatched() && progress.hasReadOpen();
    long now = context.time().nanoTime();
    more |= rowsAreUpToDate && routes.bringBack(now) > 0;
    reading.keepHouse(cursor.n());
    routes.lookForLongDeliveries(now);
    return Ownership.Held.IT;
  }

  /** Ends all sending and forgets everything; what was in flight is published again. */
  int end() {
    int inFlight = routes.inFlightCount();
    routes.close();
    reading.end();
    return inFlight;
  }

  /** Ends all sending where the deadline has passed; from any thread. */
  void abortIfLate() {
    if (!leaseClock.isValid()) {
      aborted = true;
      routes.abort();
    }
  }

  Duration untilDeadline() {
    return Duration.ofNanos(Math.max(0, leaseClock.leftNanos()));
  }

  boolean isDown() {
    return routes.isAnyDown();
  }

  boolean isTryingRows() {
    return routes.inFlightCount() > 0 || routes.rowsGoFirst();
  }

  private boolean mayPublish() {
    return !handingOver && pendingSave.room() > 0 && leaseClock.leavesTimeToWork();
  }

  private Ownership fetch() {
    if (routes.hasUndispatched() || routes.readingWaits()) {
      return Ownership.Held.IT;
    }
    Reading.Outcome outcome = reading.next();
    if (outcome instanceof Reading.Outcome.NotOurs ended) {
      return new Ownership.Lost(ended.reason());
    }
    return outcome instanceof Reading.Outcome.Read read ? take(read.page()) : Ownership.Held.IT;
  }

  /** Takes a page, after what it shows to be declared was learned. */
  private Ownership take(Page page) {
    if (routes.knowsOther(page.declared())) {
      Ownership whenRead = learnDeclarations();
      if (!(whenRead instanceof Ownership.Held)) {
        return whenRead;
      }
    }
    if (routes.knowsOtherPauses(page.paused())) {
      Ownership whenRead = learnPauses();
      if (!(whenRead instanceof Ownership.Held)) {
        return whenRead;
      }
    }
    more = page.more() || reading.hasNext();
    if (!page.messages().isEmpty()) {
      pace.came(context.time().nanoTime());
    }
    routes.add(partition.isDivided() ? settleOthers(page.messages()) : page.messages());
    return Ownership.Held.IT;
  }

  /** Settles the messages of other partitions, and returns those of this one. */
  private List<LedgerMessage> settleOthers(List<LedgerMessage> read) {
    List<LedgerMessage> own = new ArrayList<>();
    List<Long> others = new ArrayList<>();
    for (LedgerMessage message : read) {
      if (partition.has(message)) {
        own.add(message);
      } else {
        pendingSave.ofAnotherPartition(message.position());
        others.add(message.position());
      }
    }
    progress.readOfOthers(Positions.of(others.stream().mapToLong(Long::longValue).toArray()));
    return own;
  }

  /** Asks what is paused where no page has shown it for long, and declared where none is read. */
  private Ownership lookForPauses() {
    if (!routes.pausesAreOld()) {
      return Ownership.Held.IT;
    }
    return learnPauses()
        .then(() -> routes.readingWaits() ? learnDeclarations() : Ownership.Held.IT);
  }

  private Ownership learnDeclarations() {
    Ownership whenRead = finishReading();
    if (whenRead instanceof Ownership.Held) {
      routes.learnDeclarations();
    }
    return whenRead;
  }

  private Ownership learnPauses() {
    Ownership whenRead = finishReading();
    if (whenRead instanceof Ownership.Held) {
      routes.learnPauses();
      progress.readUpTo(routes.readUpTo());
    }
    return whenRead;
  }

  /**
   * Hands over what is read up to where the subscription is divided anew, once all of it is
   * settled: others take the lease when that is done.
   */
  private void handOverWhatIsDivided() {
    boolean isDone =
        progress.isReadUpToEnd()
            && progress.hasReadOpen()
            && progress.unsettledCount() <= pendingSave.settledCount();
    if (isDone && !handingOver) {
      handsOver(true);
    }
  }

  /**
   * Hands over to an instance that stands by and has what this one lacks; not within a lease of the
   * take-over, or two that each lack something of the other would do nothing else.
   */
  private void handOverToOneWithMore() {
    boolean hasHadItsTurn =
        context.time().nanoTime() - tookOverAt >= context.options().lease().toNanos();
    if (routes.isLackedOnOffer() && hasHadItsTurn && !handingOver) {
      context.listener().on(new RelayEvent.HandsOver(Set.copyOf(routes.lacked())));
      handsOver(true);
    }
  }

  /** Waits until nothing is read any more; what was read may have ended this grant. */
  private Ownership finishReading() {
    return Ownership.unless(reading.finish());
  }

  private boolean saveIsDue() {
    return (!pendingSave.isEmpty() && !saveMayWait())
        || reading.wantsSave()
        || !routes.lacked().equals(lackedAsSaved)
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
    if (handingOver || progress.room(context.options()) == 0) {
      return 0;
    }
    return saveDelay.left(pendingSave, context.time().nanoTime());
  }

  /** Says whether there is more to hand to the routes, which need not be waited for. */
  private boolean mayReadOn() {
    boolean isThere = routes.hasUndispatched() || (more && progress.room(context.options()) > 0);
    return isThere && !handingOver && !routes.readingWaits();
  }

  private boolean isHandedOver() {
    return handingOver && routes.inFlightCount() == 0;
  }

  private Ownership save() {
    boolean release = isHandedOver();
    int newlyPublished = pendingSave.publishedCount();
    int newlyFiltered = pendingSave.filteredCount();
    long askedAt = context.time().nanoTime();
    progress.settled(pendingSave.settledPositions());
    Positions overflow = progress.nextOverflow();
    Duration lease = release ? Duration.ZERO : context.options().lease();
    Set<Declaration> lacking = Set.copyOf(routes.lacked());
    Optional<SaveOutcome.Saved> saved =
        cursor.save(lease, progress, overflow, pendingSave.changes(), lacking);
    if (saved.isEmpty()) {
      return new Ownership.Lost(
          "another relay took the lease, or a different server or ledger answered");
    }
    leaseClock.renewed(askedAt);
    Duration took = Duration.ofNanos(context.time().nanoTime() - askedAt);
    context.listener().on(new RelayEvent.Wrote(took));
    lackedAsSaved = lacking;
    progress.saved(overflow, saved.get().witness());
    routes.saved(askedAt, took);
    reading.saved();
    published += newlyPublished;
    filtered += newlyFiltered;
    context.listener().on(new RelayEvent.Saved(progress.frontier(), newlyPublished, newlyFiltered));
    return release
        ? new Ownership.Released()
        : Ownership.unless(cursor.endedBy(saved.get().server()));
  }

  private StepReport report() {
    long pending = progress.unsettledCount() - pendingSave.settledCount();
    return new StepReport(ownership.state(), published, filtered, pending, nextIn());
  }

  private Duration nextIn() {
    if (ownership instanceof Ownership.Lost || mayReadOn() || pendingSave.wasFull()) {
      return Duration.ZERO;
    }
    long now = context.time().nanoTime();
    Duration next = pace.next(now);
    if (!pendingSave.isEmpty()) {
      next = Collections.min(List.of(next, Duration.ofNanos(untilSave())));
    }
    return routes.nextIn(now, next);
  }
}
