// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.parking.FailureRule;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Tries a consumer's parked messages again and carries out what operators request. Any number of
 * instances may do so at a time. Starts no thread: each call of {@link #step} is one step. Used by
 * one thread.
 */
public final class ParkedRetries {

  private static final int ROWS_A_STEP = 100;

  private final ReceiverStore store;
  private final ReceiverContext context;
  private final ReceiverBreakers breakers;
  private final ReceiverSuspects suspects;
  private final QuietLog log;
  private int outages;

  ParkedRetries(
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

  /** Returns the log of the receiver that they belong to. */
  QuietLog log() {
    return log;
  }

  /** Returns the consumer whose messages are tried. */
  public String consumer() {
    return store.consumer();
  }

  /**
   * Tries what is due. Throws nothing: what fails is told to the listener.
   *
   * @return how many messages have taken effect or were discarded; if any, another step may find
   *     more at once
   */
  public int step() {
    return step(() -> false);
  }

  /** The same, but ends after the message that is being tried, once the retries are to stop. */
  int step(BooleanSupplier stopping) {
    try {
      int ended = 0;
      for (ParkedReceived discarded : store.carryOutRequests(ROWS_A_STEP)) {
        context.tell(new ReceiverEvent.Discarded(discarded));
        ended++;
      }
      for (ParkedReceived due : store.due(ROWS_A_STEP)) {
        ended += withFollowers(due, stopping);
        if (stopping.getAsBoolean()) {
          break;
        }
      }
      log.over(ReceiverLog.kind(ReceiverEvent.RetriesFailed.class));
      return ended;
    } catch (Throwable e) { // an Error, too: the next step may succeed
      context.tell(new ReceiverEvent.RetriesFailed(Printable.text(e)));
      return 0;
    }
  }

  /** Tries a message and, while that succeeds, those held behind it. */
  private int withFollowers(ParkedReceived first, BooleanSupplier stopping) {
    int ended = 0;
    Optional<ParkedReceived> next = Optional.of(first);
    while (next.isPresent() && ended < ROWS_A_STEP && retry(next.get(), stopping)) {
      ended++;
      next = stopping.getAsBoolean() ? Optional.empty() : store.next(next.get());
    }
    return ended;
  }

  private boolean retry(ParkedReceived parked, BooleanSupplier stopping) {
    Duration wait = breakers.waitFor(parked);
    if (!wait.isZero()) {
      store.fail(parked, FailureRule.postponed(parked.attempts(), null, wait));
      return false;
    }
    long begun = context.time().nanoTime();
    try {
      if (!store.retry(parked)) {
        return false;
      }
    } catch (Throwable thrown) { // an Error, too, and what is thrown without being declared
      FailedAttempt attempt = context.attemptSince(begun);
      failed(parked, thrown, stopping.getAsBoolean() && Failure.isInterrupt(thrown), attempt);
      return false;
    } finally {
      Thread.interrupted();
    }
    if (outages > 0) {
      outages = 0;
      log.over(ReceiverLog.kind(ReceiverEvent.Unavailable.class));
    }
    breakers.succeeded(parked);
    suspects.succeeded(parked);
    context.tell(new ReceiverEvent.Recovered(parked));
    return true;
  }

  private void failed(
      ParkedReceived parked, Throwable thrown, boolean isClosing, FailedAttempt attempt) {
    Failure failure = isClosing ? Failure.UNAVAILABLE : Failure.of(thrown);
    String reason = Printable.text(thrown);
    if (failure == Failure.UNAVAILABLE) {
      Rejected rejected = isClosing ? null : suspects.failed(parked, reason);
      if (rejected != null && rejected.kind() == Rejected.Kind.DEFINITE) {
        count(parked, context.rule().failed(parked.attempts(), false, rejected.reason(), attempt));
        return;
      }
      Duration delay = context.options().backoff().delay(++outages, context.random());
      store.fail(parked, FailureRule.postponed(parked.attempts(), reason, delay));
      context.tell(new ReceiverEvent.Unavailable(parked, reason, delay));
      return;
    }
    suspects.forget(parked);
    if (failure.isWait()) {
      store.fail(parked, FailureRule.postponed(parked.attempts(), reason, context.waitOf(failure)));
      return;
    }
    if (failure == Failure.SUSPECT && breakers.failed(parked, reason)) {
      store.fail(
          parked, FailureRule.postponed(parked.attempts(), reason, breakers.waitFor(parked)));
      return;
    }
    boolean isFinal = failure == Failure.FINAL;
    count(parked, context.rule().failed(parked.attempts(), isFinal, reason, attempt));
  }

  private void count(ParkedReceived parked, ParkedFailure state) {
    store.fail(parked, state);
    context.tellParked(parked, state);
  }
}
