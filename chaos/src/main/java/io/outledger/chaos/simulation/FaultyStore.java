// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import io.outledger.store.CursorRow;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.Pauses;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A relay's store, with everything between a call and its reply that may happen: the others move,
 * the process dies, the connection breaks before or after the effect.
 */
final class FaultyStore implements RelayStore {

  private static final PollRequest NOTHING = new PollRequest(Long.MAX_VALUE, 1, 1, Positions.NONE);

  private final World world;
  private final RelayProcess process;
  private final RelayStore store;
  private final GateStore gate;
  private long firstWitness = Long.MAX_VALUE;
  private long horizon;
  private PollRequest asked = NOTHING;
  private Positions loaded = Positions.NONE;
  private boolean hasAskedForWriters;

  FaultyStore(World world, RelayProcess process, RelayStore store) {
    this.world = world;
    this.process = process;
    this.store = store;
    this.gate = new GateStore(world, process, store);
  }

  /**
   * Notes the proof of the holes that were just dropped, where it is certain: a horizon below the
   * grant's first save has witnessed nothing, and without a word on writers none can have gone.
   */
  void holesDropped() {
    if (world.plan().hasGate) {
      world.note(Happening.HOLE_DROPPED_BY_GATE);
    } else if (horizon < firstWitness) {
      world.note(Happening.HOLE_DROPPED_BY_LOCK);
    } else if (!hasAskedForWriters) {
      world.note(Happening.HOLE_DROPPED_BY_TRANSACTION_ID);
    }
  }

  @Override
  public CursorRow look() {
    return call("look", () -> "looks who owns it", store::look, row -> Words.row(row));
  }

  @Override
  public Optional<LeaseGrant> takeOver(
      CursorRow seen, UUID incarnation, Duration lease, Runnable asking) {
    return call(
        "takeOver",
        () -> "wants the lease, as " + Words.owner(incarnation),
        () -> {
          boolean isHandedOver = process.subscription().inLedger().newest().released();
          Optional<LeaseGrant> grant = store.takeOver(seen, incarnation, lease, asking);
          grant.ifPresent(taken -> tookOver(taken, incarnation, isHandedOver));
          return grant;
        },
        grant -> grant.map(t -> "gets it: " + Words.frontier(t.frontier())).orElse("too late"));
  }

  private void tookOver(LeaseGrant taken, UUID incarnation, boolean isHandedOver) {
    firstWitness = Long.MAX_VALUE;
    hasAskedForWriters = false;
    loaded = taken.frontier().open();
    if (isHandedOver) {
      world.note(Happening.LEASE_HANDED_OVER);
    } else if (process.isSucceeded()) {
      world.note(Happening.LEASE_TAKEN_FROM_ANOTHER);
    }
    process.tookOver(taken.n(), incarnation);
  }

  @Override
  public void checkPreconditions(long high) {
    call(
        "checkPreconditions",
        () -> {
          store.checkPreconditions(high);
          return high;
        });
  }

  @Override
  public Page poll(PollRequest whole) {
    PollRequest request = inPieces(whole);
    return call(
        "poll",
        () -> Words.asked(request.open(), request.above(), request.limit()),
        () -> {
          Page page = read(request);
          horizon = page.snapshot().horizon();
          noteLateOnes(request);
          return page;
        },
        Words::page);
  }

  private Page read(PollRequest request) {
    if (world.plan().hasGate) {
      return gate.poll(request);
    }
    return world.plan().looksBeforePolls ? lookAndPoll(request) : store.poll(request);
  }

  /** What was open when the lease was taken is shown a message at a time, where that is planned. */
  private PollRequest inPieces(PollRequest request) {
    return world.plan().backlogs == 0 || request.open().intersection(loaded).isEmpty()
        ? request
        : new PollRequest(request.above(), request.limit(), 1, request.open(), request.known());
  }

  /** Notes where a look meets, in a hole that slept, what would overtake what is to be read. */
  private void noteLateOnes(PollRequest request) {
    if (request.above() != Long.MAX_VALUE) {
      asked = request;
      return;
    }
    Positions late = request.open().minus(asked.open());
    boolean isMet =
        world.ledger().messages().stream()
            .filter(one -> one.position() <= asked.above() && late.contains(one.position()))
            .anyMatch(this::mayOvertake);
    if (isMet) {
      world.note(Happening.LATE_ONE_BEFORE_EARLIER_ONES);
    }
  }

  /** Earlier ones of its key were asked for before it, and have never arrived. */
  private boolean mayOvertake(LedgerMessage late) {
    return world.ledger().messages().stream()
        .takeWhile(one -> one.position() < late.position())
        .filter(one -> asked.open().contains(one.position()))
        .filter(one -> Objects.equals(one.message().key(), late.message().key()))
        .anyMatch(one -> !process.subscription().hasArrived(one.message().id()));
  }

  /** Whoever ends between the look and the poll is listed, and what it has committed is shown. */
  private Page lookAndPoll(PollRequest request) {
    Snapshot look = store.poll(NOTHING).snapshot();
    process.othersMove("between look and poll");
    Page page = store.poll(request);
    if (look.running().stream().anyMatch(page.snapshot()::hasEnded)
        && page.messages().stream().anyMatch(each -> request.open().contains(each.position()))) {
      world.note(Happening.HOLE_FILLED_AFTER_THE_LOOK);
    }
    return new Page(
        page.messages(),
        page.readTo(),
        page.withheld(),
        page.more(),
        new Snapshot(look.edge(), look.running(), false),
        page.newest(),
        page.declared(),
        page.paused(),
        page.server());
  }

  @Override
  public SaveOutcome save(Save save) {
    return call(
        "save",
        () -> Words.save(save),
        () -> {
          SaveOutcome outcome = store.save(save);
          if (outcome instanceof SaveOutcome.Saved saved) {
            outcome = world.plan().hasGate ? gate.saved(save, saved) : outcome;
            saved(save, saved.witness());
          } else {
            world.note(Happening.SAVE_FENCED);
          }
          return outcome;
        },
        Words::outcome);
  }

  private void saved(Save save, long witness) {
    firstWitness = Math.min(firstWitness, witness);
    if (!save.overflow().isEmpty()) {
      world.note(Happening.HOLE_AGED);
    }
    if (save.lease().isZero()) {
      process.gaveLeaseBack();
    }
    process.subscription().saved(save);
    process.subscription().savedCursor(save.n() + 1, save.incarnation());
    process.subscription().bookkeeping().wrote(process, save);
  }

  @Override
  public Set<Long> writers() {
    hasAskedForWriters = true;
    return call("writers", world.plan().hasGate ? gate::writers : store::writers);
  }

  @Override
  public String blockers() {
    return call("blockers", store::blockers);
  }

  @Override
  public List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit) {
    return call(
        "due", () -> "asks what is due", () -> store.due(routes, except, limit), Words::parked);
  }

  @Override
  public Map<String, Long> parkedElsewhere(Set<String> routes) {
    return call("parkedElsewhere", () -> store.parkedElsewhere(routes));
  }

  @Override
  public List<LeaseGrant.BlockedKey> releasable(Set<String> routes, int limit) {
    return call("releasable", () -> store.releasable(routes, limit));
  }

  @Override
  public List<ParkedMessage> held(String route, String key, int limit) {
    return call(
        "held",
        () -> "asks what is held of " + key,
        () -> store.held(route, key, limit),
        Words::parked);
  }

  @Override
  public List<ParkedMessage> discards(ParkedPlace after, int limit) {
    return call("discards", () -> store.discards(after, limit));
  }

  @Override
  public void declare(Declaring declaring) {
    call(
        "declare",
        () -> {
          store.declare(declaring);
          return declaring;
        });
  }

  @Override
  public void declareAgain(Set<Declaration> has) {
    call(
        "declareAgain",
        () -> {
          store.declareAgain(has);
          return has;
        });
  }

  @Override
  public Declarations declarations() {
    return call("declarations", store::declarations);
  }

  @Override
  public Pauses pauses() {
    Pauses paused = call("pauses", store::pauses);
    process.knows(paused);
    return paused;
  }

  @Override
  public List<ParkedMessage> untilResumed(ParkedPlace after, Pauses pauses, int limit) {
    return call("untilResumed", () -> store.untilResumed(after, pauses, limit));
  }

  @Override
  public void purgeCursor(long newest) {
    call(
        "purgeCursor",
        () -> {
          int rows = process.subscription().inLedger().cursorRows();
          store.purgeCursor(newest);
          if (process.subscription().inLedger().cursorRows() < rows) {
            world.note(Happening.CURSOR_ROWS_PURGED);
          }
          return newest;
        });
  }

  @Override
  public void close() {
    store.close();
    process.subscription().storeClosed();
  }

  private <T> T call(String what, Supplier<T> work) {
    return call(what, () -> what, work, String::valueOf);
  }

  private <T> T call(
      String what, Supplier<String> details, Supplier<T> work, Function<T, String> words) {
    process.checkAlive();
    process.othersMove("before " + what);
    process.mayCrash("before " + what);
    mayFail(world.plan().storeFails, "before", what);
    T reply = work.get();
    world.tell(process, () -> details.get() + ": " + words.apply(reply));
    process.othersMove("after " + what);
    process.mayCrash("after " + what);
    mayFail(world.plan().replyLost, "after", what);
    return reply;
  }

  private void mayFail(double probability, String when, String what) {
    if (world.hasFaults() && world.choices().chance(probability)) {
      world.note(Happening.CONNECTION_BROKEN);
      if (when.equals("after") && what.equals("save")) {
        world.note(Happening.SAVE_REPLY_LOST);
      }
      if (when.equals("after") && what.equals("takeOver")) {
        process.leaseLost(); // it does not know that it has one, so it cannot give it back
      }
      world.tell(process, () -> "loses its connection " + when + " " + what);
      throw new StoreException(
          ErrorCode.STORE_UNAVAILABLE, "the connection broke " + when + " " + what);
    }
  }
}
