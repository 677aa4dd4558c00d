// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.parking.Breaker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The breakers of a receiver, by topic and type, each from the first failure to the next success.
 * Senders choose topics and types, so their number is bounded. Thread-safe.
 */
final class ReceiverBreakers {

  private static final int BREAKERS_MAX = 1_000;

  private record Kind(String topic, String type) {}

  private final ReceiverContext context;
  private final Map<Kind, Breaker> breakers = new LinkedHashMap<>();

  ReceiverBreakers(ReceiverContext context) {
    this.context = context;
  }

  /** Returns whether messages like this one may be processed many at a time. */
  synchronized boolean isClosed(ParkedReceived message) {
    Breaker breaker = breakers.get(kind(message));
    return breaker == null || breaker.isClosed();
  }

  /** Returns how long a message like this is not to be tried; zero where it may be. */
  synchronized Duration waitFor(ParkedReceived message) {
    Breaker breaker = breakers.get(kind(message));
    return breaker == null ? Duration.ZERO : breaker.waitFor(now());
  }

  /** Takes a success. */
  void succeeded(ParkedReceived message) {
    Breaker removed = remove(kind(message));
    if (removed != null && !removed.isClosed()) {
      context.tell(new ReceiverEvent.BreakerClosed(message.topic(), message.type()));
    }
  }

  private synchronized @Nullable Breaker remove(Kind kind) {
    return breakers.isEmpty() ? null : breakers.remove(kind);
  }

  /** Takes a failure, and returns whether the message is to be kept back, and not parked. */
  boolean failed(ParkedReceived message, String reason) {
    boolean keep;
    boolean opened;
    Kind forgotten;
    synchronized (this) {
      forgotten = makeRoomFor(kind(message));
      Breaker breaker =
          breakers.computeIfAbsent(
              kind(message), kind -> new Breaker(context.options().breaker(), context.random()));
      Breaker.State before = breaker.state();
      String who = message.key() == null ? "id " + message.id() : "key " + message.key();
      long now = now();
      keep = breaker.failed(who, now);
      opened = before == Breaker.State.CLOSED && !breaker.isClosed();
      if (before == Breaker.State.OPEN) { // where one is open, only probes are tried
        breaker.probeFailed(now);
      } else if (before == Breaker.State.RATE_LIMITED) {
        breaker.triedAtLimitedRate(now);
      }
    }
    if (forgotten != null) {
      context.tell(new ReceiverEvent.BreakerForgotten(forgotten.topic(), forgotten.type()));
    }
    if (opened) {
      context.tell(new ReceiverEvent.BreakerOpened(message.topic(), message.type(), reason));
    }
    return keep;
  }

  /** Forgets the oldest where there are too many, and returns it if it was open. */
  private @Nullable Kind makeRoomFor(Kind kind) {
    if (breakers.size() < BREAKERS_MAX || breakers.containsKey(kind)) {
      return null;
    }
    Kind oldest = breakers.keySet().iterator().next();
    Breaker removed = breakers.remove(oldest);
    return removed == null || removed.isClosed() ? null : oldest;
  }

  private long now() {
    return context.time().nanoTime();
  }

  private static Kind kind(ParkedReceived message) {
    return new Kind(message.topic(), message.type());
  }
}
