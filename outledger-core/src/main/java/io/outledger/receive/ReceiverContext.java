// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Require;
import io.outledger.parking.FailureRule;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The settings and collaborators of a receiver, apart from its source and handler.
 *
 * @param name its name in the log, such as the broker's address and group
 * @param options how failures are treated
 * @param listener who is told of events, besides the log; thread-safe
 * @param time the clock
 * @param random chance; thread-safe
 */
public record ReceiverContext(
    String name,
    ReceiverOptions options,
    ReceiverListener listener,
    TimeSource time,
    RandomGenerator random) {

  private static final Duration FOR_A_BUILD = Duration.ofSeconds(30);

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ReceiverContext {
    Require.nonNull("name", name);
    Require.nonNull("options", options);
    Require.nonNull("listener", listener);
    Require.nonNull("time", time);
    Require.nonNull("random", random);
  }

  /** Returns a copy with another listener. */
  ReceiverContext withListener(ReceiverListener value) {
    return new ReceiverContext(name, options, value, time, random);
  }

  /** Returns the rule by which failed messages are parked. */
  FailureRule rule() {
    return new FailureRule(options.retry(), random);
  }

  /**
   * Returns how long a message waits whose failure does not count: a moment, as after a first
   * failure; longer where it waits for another build, since all that do come back for nothing.
   */
  Duration waitOf(Failure failure) {
    return failure == Failure.NOT_HERE ? FOR_A_BUILD : options.backoff().delay(1, random);
  }

  /** Returns the attempt that began at a monotonic time and has failed by now. */
  FailedAttempt attemptSince(long begunNanos) {
    return new FailedAttempt(Duration.ofNanos(time.nanoTime() - begunNanos));
  }

  /** Tells that a message was parked. */
  void tellParked(ParkedReceived message, ParkedFailure failure) {
    String reason = String.valueOf(failure.reason());
    tell(
        failure.state() == ParkedState.DEAD
            ? new ReceiverEvent.Died(message, failure.attempts(), reason)
            : new ReceiverEvent.Parked(message, failure.attempts(), reason, failure.delay()));
  }

  /** Tells the listener. */
  void tell(ReceiverEvent event) {
    listener.on(event);
  }
}
