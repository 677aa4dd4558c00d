// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.outledger.relay.options.BreakerPolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Suspects what takes the messages of one topic and type, a destination or a handler, when many
 * keys in a row fail, or when one failure says that it is the topic's.
 *
 * <p>Closed, it counts. Open, messages are kept back and not parked, and one at a time probes.
 * Rate-limited, when probes have failed for long enough, messages fail normally, at a limited rate;
 * not where it is known that the topic is to blame. Not thread-safe.
 */
public final class Breaker {

  /** What it does. */
  public enum State {
    /** It counts failures. */
    CLOSED,
    /** It keeps messages back, but for probes. */
    OPEN,
    /** It lets messages fail, a limited number a second. */
    RATE_LIMITED
  }

  private final BreakerPolicy policy;
  private final RandomGenerator random;
  private final Set<String> failed = new HashSet<>();
  private State state = State.CLOSED;
  private long openedAt;
  private boolean isTopicToBlame;
  private int probesFailed;
  private long nextAt;

  /** Makes it, closed. */
  public Breaker(BreakerPolicy policy, RandomGenerator random) {
    this.policy = policy;
    this.random = random;
  }

  /** Returns what it does. */
  public State state() {
    return state;
  }

  /** Returns whether nothing is kept back. */
  public boolean isClosed() {
    return state == State.CLOSED;
  }

  /** Returns whether the topic itself was to blame at last. */
  public boolean isTopicToBlame() {
    return isTopicToBlame;
  }

  /** Returns how long no message is to be tried; zero where one may be. */
  public Duration waitFor(long now) {
    return isClosed() || now - nextAt >= 0 ? Duration.ZERO : Duration.ofNanos(nextAt - now);
  }

  /**
   * Takes a failure of a message that may be what it is sent to, or handled by.
   *
   * @param who the message's key, or the message itself where it has none
   * @return whether the message is to be kept back, and not parked
   */
  public boolean failed(String who, long now) {
    if (isTopicToBlame) {
      isTopicToBlame = false;
      openedAt = now;
    }
    if (isClosed()) {
      failed.add(who);
      if (failed.size() >= policy.failures()) {
        open(now);
      }
    }
    return state == State.OPEN;
  }

  /** Takes a failure that is the topic's for certain: the message is to be kept back. */
  public void topicFailed(long now) {
    isTopicToBlame = true;
    if (state != State.OPEN) {
      open(now);
    }
  }

  private void open(long now) {
    state = State.OPEN;
    openedAt = now;
    probesFailed = 0;
    nextAt = now + policy.probes().delay(1, random).toNanos();
  }

  /** Notes that a probe has failed: the next one waits longer. */
  public void probeFailed(long now) {
    probesFailed++;
    nextAt = now + policy.probes().delay(probesFailed + 1, random).toNanos();
    if (!isTopicToBlame && now - openedAt >= NANOSECONDS.convert(policy.probeFor())) {
      state = State.RATE_LIMITED;
    }
  }

  /** Notes that a message is tried at the limited rate: the next one waits for its turn. */
  public void triedAtLimitedRate(long now) {
    nextAt = now + 1_000_000_000L / policy.rejectionsPerSecond();
  }

  /** Takes a success: all is well again. */
  public void succeeded() {
    failed.clear();
    state = State.CLOSED;
  }
}
