// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.outledger.relay.options.BreakerPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Suspects the destination of one topic and type when many keys in a row are rejected, or when one
 * rejection says that it is the topic's.
 *
 * <p>Closed, it counts. Open, it keeps messages back and lets one at a time probe. Rate-limited,
 * when probes have failed for long enough, it lets messages be rejected normally, at a limited
 * rate; not where it is known that the topic is to blame.
 */
final class Breaker {

  enum State {
    CLOSED,
    OPEN,
    RATE_LIMITED
  }

  private final BreakerPolicy policy;
  private final RandomGenerator random;
  private final Suspects suspects;
  private final Set<String> failedKeys = new HashSet<>();
  private final TreeMap<Long, Delivery> waiting = new TreeMap<>();
  private State state = State.CLOSED;
  private long openedAt;
  private boolean isTopicToBlame;
  private int probesFailed;
  private long nextAt;
  private @Nullable Long probe;

  /**
   * Makes it, closed.
   *
   * @param suspects those whose probes have failed: another one is to probe next
   */
  Breaker(BreakerPolicy policy, RandomGenerator random, Suspects suspects) {
    this.policy = policy;
    this.random = random;
    this.suspects = suspects;
  }

  State state() {
    return state;
  }

  int waitingCount() {
    return waiting.size();
  }

  /** Keeps a message back, where the breaker is not closed. */
  void keep(Delivery delivery) {
    waiting.put(delivery.position(), delivery);
  }

  boolean keeps(long position) {
    return waiting.containsKey(position);
  }

  /** Records a suspect rejection. Returns whether the message must wait here and not be parked. */
  boolean rejected(Delivery delivery, long now) {
    if (isTopicToBlame) {
      isTopicToBlame = false;
      openedAt = now;
    }
    if (state == State.RATE_LIMITED) {
      return false;
    }
    if (state == State.CLOSED) {
      String key = delivery.key();
      failedKeys.add(key == null ? "position " + delivery.position() : "key " + key);
      if (failedKeys.size() < policy.failures()) {
        return false;
      }
      open(now);
    }
    return true;
  }

  /** Takes a rejection that is the topic's for certain: the message is to be kept back. */
  boolean topicRejected(long now) {
    isTopicToBlame = true;
    if (state != State.OPEN) {
      open(now);
    }
    return true;
  }

  /** Returns whether this breaker may be removed, since the next rejection opens it again. */
  boolean isForgettable() {
    return isTopicToBlame && waiting.isEmpty() && probe == null;
  }

  private void open(long now) {
    state = State.OPEN;
    openedAt = now;
    probesFailed = 0;
    nextAt = now + policy.probes().delay(1, random).toNanos();
  }

  /** Notes that a probe of this breaker was rejected: the next one waits longer. */
  void probeFailed(long now) {
    probesFailed++;
    nextAt = now + policy.probes().delay(probesFailed + 1, random).toNanos();
    if (!isTopicToBlame && now - openedAt >= NANOSECONDS.convert(policy.probeFor())) {
      state = State.RATE_LIMITED;
    }
  }

  /** Takes a success: the destination works. The messages kept back are returned, in order. */
  List<Delivery> succeeded() {
    failedKeys.clear();
    state = State.CLOSED;
    probe = null;
    return takeAll();
  }

  /** Notes that a message's outcome has come, and returns whether it was the probe. */
  boolean probeEnded(long position) {
    boolean wasProbe = probe != null && probe == position;
    if (wasProbe) {
      probe = null;
    }
    return wasProbe;
  }

  /** Returns the messages that may be tried now: a probe, or as many as the limited rate allows. */
  List<Delivery> release(long now) {
    if (state == State.CLOSED || waiting.isEmpty() || now - nextAt < 0) {
      return List.of();
    }
    Delivery next = state == State.OPEN && probe != null ? null : suspects.next(waiting.values());
    if (next == null) {
      return List.of();
    }
    waiting.remove(next.position());
    if (state == State.OPEN) {
      probe = next.position();
    } else {
      nextAt = now + 1_000_000_000L / policy.rejectionsPerSecond();
    }
    return List.of(next);
  }

  /**
   * Takes the first message that is kept back and of none of the keys; null where there is none.
   */
  @Nullable Delivery takeFirst(Set<String> except) {
    Iterator<Delivery> all = waiting.values().iterator();
    while (all.hasNext()) {
      Delivery next = all.next();
      if (next.key() == null || !except.contains(next.key())) {
        all.remove();
        return next;
      }
    }
    return null;
  }

  private List<Delivery> takeAll() {
    List<Delivery> all = new ArrayList<>(waiting.values());
    waiting.clear();
    return all;
  }
}
