// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.outledger.relay.options.BreakerPolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Suspects the handler of one topic and type when many keys in a row fail. Closed, it counts. Open,
 * one message at a time is tried, and none is parked. After long enough failures are parked again,
 * at a limited rate. Not thread-safe.
 */
final class ReceiverBreaker {

  private enum State {
    CLOSED,
    OPEN,
    RATE_LIMITED
  }

  private final BreakerPolicy policy;
  private final RandomGenerator random;
  private final Set<String> failed = new HashSet<>();
  private State state = State.CLOSED;
  private long openedAt;
  private int probesFailed;
  private long nextAt;

  ReceiverBreaker(BreakerPolicy policy, RandomGenerator random) {
    this.policy = policy;
    this.random = random;
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  /** Returns how long no message is to be tried; zero where one may be. */
  Duration waitFor(long now) {
    return isClosed() || now - nextAt >= 0 ? Duration.ZERO : Duration.ofNanos(nextAt - now);
  }

  /** Takes a failure, and returns whether the message is to be kept back, and not parked. */
  boolean failed(String who, long now) {
    if (state == State.RATE_LIMITED) {
      nextAt = now + 1_000_000_000L / policy.rejectionsPerSecond();
      return false;
    }
    if (state == State.CLOSED) {
      failed.add(who);
      if (failed.size() < policy.failures()) {
        return false;
      }
      state = State.OPEN;
      openedAt = now;
    }
    probesFailed++;
    nextAt = now + policy.probes().delay(probesFailed, random).toNanos();
    if (now - openedAt >= NANOSECONDS.convert(policy.probeFor())) {
      state = State.RATE_LIMITED;
    }
    return true;
  }
}
