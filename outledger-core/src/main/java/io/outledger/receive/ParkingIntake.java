// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Printable;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.log.QuietLog;
import io.outledger.parking.FailureRule;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Processes a batch in one transaction; where that fails, half of it, and so on down to the message
 * at fault, and then twice as many again. Or one transaction for each message, by choice. Parks
 * those that fail. What is not to be parked stops the stream: a message whose breaker is open, one
 * that met an outage, one for which there is no room, and every one that fails if that is the
 * choice. Messages behind a parked one of their key are held in any case.
 *
 * <p>Where one meets an outage again and again, others behind it are tried before their turn, each
 * the first of its key and alone: what gets through says who is to blame. They need no
 * acknowledgement until it is their turn: the inbox alone knows them until then, and may be told to
 * forget them. How long the stream waits its first message says, and no other one.
 */
final class ParkingIntake implements Intake {

  private static final int TOGETHER_MAX = 1 << 20;
  private static final int TOGETHER_MIN = 2;

  private final ReceiverStore store;
  private final ReceiverContext context;
  private final ReceiverBreakers breakers;
  private final ReceiverSuspects suspects;
  private final QuietLog log;

  /**
   * How many are processed together. Of all streams, and so a batch that is smaller says nothing of
   * it: half of what has failed, and twice what has succeeded where that is more.
   */
  private int togetherMax = TOGETHER_MAX;

  ParkingIntake(
      ReceiverStore store,
      ReceiverContext context,
      ReceiverBreakers breakers,
      ReceiverSuspects suspects,
      QuietLog log) {
    this.store = store;
    this.context = context;
    this.breakers = breakers;
    this.suspects = suspects;
    this.log = log;
  }

  @Override
  public Taken take(Waiting waiting, BooleanSupplier stopping) {
    List<Received> batch = waiting.batch();
    int free = 0;
    while (free < batch.size() && isFree(batch.get(free))) {
      free++;
    }
    if (free > 0) {
      List<Received> some = batch.subList(0, free);
      return context.options().perMessage() ? apart(some, stopping) : together(some, stopping);
    }
    Set<InboxId> known;
    Duration wait;
    try {
      known = new HashSet<>(store.known(batch));
      int done = knownAtStart(batch, known);
      if (done > 0) {
        return Taken.all(done);
      }
      wait = breakers.waitFor(ParkedReceived.of(batch.get(0)));
      if (wait.isZero() && !waiting.behind().isEmpty()) { // or nothing is compared with them
        known.addAll(store.known(waiting.behind()));
      }
    } catch (Throwable failure) {
      return unavailable(batch.get(0), 0, failure);
    }
    List<Received> all = new ArrayList<>(batch);
    all.addAll(waiting.behind());
    return wait.isZero() ? probed(all, known, stopping) : isOpen(wait);
  }

  private static Taken isOpen(Duration wait) {
    return new Taken(0, new IllegalStateException("the breaker of its type is open"), wait);
  }

  /** What is done with waits for no breaker. */
  private int knownAtStart(List<Received> batch, Set<InboxId> known) {
    int done = 0;
    while (done < batch.size() && known.contains(batch.get(done).inboxId())) {
      suspects.forget(ParkedReceived.of(batch.get(done)));
      done++;
    }
    return done;
  }

  /** Tries what is the most telling, up to the first one. One that fails leaves the turn to it. */
  private Taken probed(List<Received> all, Set<InboxId> known, BooleanSupplier stopping) {
    Received first = all.get(0);
    Set<InboxId> done = new HashSet<>(known);
    Received next = suspects.next(firstsOfKeys(all, done));
    while (!isSame(next, first) && !stopping.getAsBoolean()) {
      if (alone(next, 0, stopping).failure() == null) {
        done.add(next.inboxId());
        next = suspects.next(firstsOfKeys(all, done));
      } else {
        next = first;
      }
    }
    if (stopping.getAsBoolean()) {
      return Taken.all(0);
    }
    Duration wait = breakers.waitFor(ParkedReceived.of(first)); // another may have opened it
    Taken taken = wait.isZero() ? alone(first, 0, stopping) : isOpen(wait);
    return taken.with(new Behind(done, done.size() > known.size()));
  }

  private static boolean isSame(Received one, Received other) {
    return one.inboxId().equals(other.inboxId());
  }

  /** Returns those that may be tried: of each key the first one, but for what a breaker keeps. */
  private List<Received> firstsOfKeys(List<Received> all, Set<InboxId> done) {
    List<Received> firsts = new ArrayList<>();
    Set<List<String>> keys = new HashSet<>();
    for (Received each : all) {
      if (!done.contains(each.inboxId())) {
        String key = each.key();
        boolean isFirst = key == null || keys.add(List.of(each.keySpace(), key));
        boolean mayBeTried = firsts.isEmpty() || breakers.waitFor(ParkedReceived.of(each)).isZero();
        if (isFirst && mayBeTried) {
          firsts.add(each);
        }
      }
    }
    return firsts;
  }

  @Override
  public boolean wantsMore(List<Received> waiting, Behind known) {
    return !waiting.isEmpty()
        && suspects.contains(ParkedReceived.of(waiting.get(0)))
        && !suspects.hasOthers(firstsOfKeys(waiting, known.done()));
  }

  /** What is suspected is tried alone. */
  private boolean isFree(Received message) {
    return isClosed(message) && !suspects.contains(ParkedReceived.of(message));
  }

  /** Where nothing is parked, a breaker has nothing to prevent. */
  private boolean isClosed(Received message) {
    return !context.options().parks() || breakers.isClosed(ParkedReceived.of(message));
  }

  /** Processes as many from the start as succeed in one transaction. */
  private Taken together(List<Received> all, BooleanSupplier stopping) {
    for (int size = Math.min(all.size(), togetherMax); size > 1; size /= 2) {
      List<Received> batch = all.subList(0, size);
      Throwable failure = failureOf(batch);
      if (failure == null) {
        togetherMax = Math.max(togetherMax, Math.min(TOGETHER_MAX, 2 * size));
        return Taken.all(size);
      }
      if (failure instanceof InterruptedException && stopping.getAsBoolean()) {
        return Taken.stopped(0, failure); // it is the receiver's, and says nothing of a message
      }
      if (Failure.of(failure) == Failure.UNAVAILABLE) {
        return unavailable(batch.get(0), 0, failure);
      }
      togetherMax = Math.max(TOGETHER_MIN, size / 2);
      log.batchFails(size, Printable.text(failure));
      if (stopping.getAsBoolean()) {
        return Taken.all(0);
      }
    }
    return alone(all.get(0), 0, stopping);
  }

  private @Nullable Throwable failureOf(List<Received> batch) {
    try {
      process(batch);
      return null;
    } catch (Throwable failure) { // an Error, too, and what is thrown without being declared
      return failure;
    } finally {
      // Forgets an interrupt: left standing it would stop the next call to the broker.
      Thread.interrupted();
    }
  }

  /** What is known already, such as after offsets were set back, needs no transaction. */
  private Taken apart(List<Received> batch, BooleanSupplier stopping) {
    try {
      Set<InboxId> known = batch.size() == 1 ? Set.of() : store.known(batch);
      return oneByOne(batch, known, stopping);
    } catch (Throwable failure) { // of the look, since the rest throws nothing
      return unavailable(batch.get(0), 0, failure);
    }
  }

  private Taken oneByOne(List<Received> batch, Set<InboxId> known, BooleanSupplier stopping) {
    for (int done = 0; done < batch.size(); done++) {
      if (known.contains(batch.get(done).inboxId())) {
        continue;
      }
      if (stopping.getAsBoolean() || !isClosed(batch.get(done))) {
        return Taken.all(done);
      }
      Taken taken = alone(batch.get(done), done, stopping);
      if (taken.failure() != null) {
        return taken;
      }
    }
    return Taken.all(batch.size());
  }

  private Taken alone(Received message, int done, BooleanSupplier stopping) {
    long begun = context.time().nanoTime();
    Throwable failure = failureOf(List.of(message));
    if (failure == null) {
      suspects.forget(ParkedReceived.of(message)); // it is held, or concerns nobody
      return Taken.all(done + 1);
    }
    return stopping.getAsBoolean() && Failure.isInterrupt(failure)
        ? unavailable(message, done, failure)
        : failed(message, done, failure, context.attemptSince(begun));
  }

  private void process(List<Received> batch) throws Exception {
    ReceiverStore.Processed done = store.process(batch, context.options().parkedMax());
    for (Received message : done.handled()) {
      ParkedReceived subject = ParkedReceived.of(message);
      breakers.succeeded(subject);
      suspects.succeeded(subject);
    }
    for (Received message : done.held()) {
      context.tell(new ReceiverEvent.Held(ParkedReceived.of(message)));
    }
  }

  private Taken failed(Received message, int done, Throwable thrown, FailedAttempt attempt) {
    ParkedReceived subject = ParkedReceived.of(message);
    Failure failure = Failure.of(thrown);
    String reason = Printable.text(thrown);
    if (failure == Failure.FULL) {
      return full(subject, done, thrown);
    }
    if (!context.options().parks()) {
      return unavailable(message, done, thrown);
    }
    if (failure == Failure.UNAVAILABLE) {
      return suspected(message, done, thrown, attempt);
    }
    suspects.forget(subject);
    if (failure == Failure.SUSPECT && breakers.failed(subject, reason)) {
      return new Taken(done, thrown, breakers.waitFor(subject));
    }
    ParkedFailure parked =
        failure.isWait()
            ? FailureRule.postponed(subject.attempts(), reason, context.waitOf(failure))
            : context.rule().failed(subject.attempts(), failure == Failure.FINAL, reason, attempt);
    return park(message, done, parked, thrown);
  }

  private Taken suspected(Received message, int done, Throwable thrown, FailedAttempt attempt) {
    ParkedReceived subject = ParkedReceived.of(message);
    Rejected rejected = suspects.failed(subject, Printable.text(thrown));
    if (rejected == null) {
      return unavailable(message, done, thrown);
    }
    String reason = rejected.reason();
    if (rejected.kind() == Rejected.Kind.DEFINITE) {
      return park(
          message, done, context.rule().failed(subject.attempts(), false, reason, attempt), thrown);
    }
    if (breakers.kindFailed(subject, reason)) {
      return new Taken(done, thrown, breakers.waitFor(subject));
    }
    Duration delay = context.options().backoff().delay(1, context.random());
    return park(message, done, FailureRule.postponed(subject.attempts(), reason, delay), thrown);
  }

  /** What the first attempt has thrown is logged with its stack: the parked row has its text. */
  private Taken park(Received message, int done, ParkedFailure failure, Throwable thrown) {
    ParkedReceived subject = ParkedReceived.of(message);
    try {
      if (store.park(message, failure, context.options().parkedMax())) {
        log.fails(Level.WARN, "attempt", () -> "could not process " + subject, thrown);
        context.tellParked(subject, failure);
      }
      log.over(ReceiverLog.kind(ReceiverEvent.Full.class));
      return Taken.all(done + 1);
    } catch (Throwable e) { // an Error, too: nothing was parked, so nothing may be passed over
      return Failure.of(e) == Failure.FULL ? full(subject, done, e) : unavailable(message, done, e);
    }
  }

  private Taken unavailable(Received message, int done, Throwable failure) {
    log.say(Level.DEBUG, "stop", () -> "stopped at " + ParkedReceived.of(message));
    return Taken.stopped(done, failure);
  }

  private Taken full(ParkedReceived message, int done, Throwable failure) {
    Duration delay = context.options().backoff().max();
    context.tell(new ReceiverEvent.Full(message, context.options().parkedMax(), delay));
    return new Taken(done, failure, delay);
  }
}
