// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.parking.Breaker;
import io.outledger.parking.FailingKinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The breakers of a receiver, by topic and type, each from the first failure to the next success.
 * Senders choose topics and types, so their number is bounded. Thread-safe.
 */
final class ReceiverBreakers {

  private record Kind(String topic, String type) {}

  private final ReceiverContext context;
  private final FailingKinds<Kind, Breaker> breakers;

  /** Those that were forgotten while they were open, to be told outside of the lock. */
  private final List<Kind> forgotten = new ArrayList<>();

  ReceiverBreakers(ReceiverContext context) {
    this.context = context;
    this.breakers = new FailingKinds<>(any -> true, this::forgotten);
  }

  private void forgotten(Kind kind, Breaker breaker) {
    if (!breaker.isClosed()) {
      forgotten.add(kind);
    }
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
    return failed(message, reason, false);
  }

  /**
   * The same, where what its kind needs is away: once that is so of many keys, messages of the kind
   * are kept back for as long as it lasts.
   */
  boolean kindFailed(ParkedReceived message, String reason) {
    return failed(message, reason, true);
  }

  private boolean failed(ParkedReceived message, String reason, boolean isOfKind) {
    boolean keep;
    boolean opened;
    List<Kind> gone;
    synchronized (this) {
      Breaker breaker =
          breakers.failed(
              kind(message), () -> new Breaker(context.options().breaker(), context.random()));
      gone = List.copyOf(forgotten);
      forgotten.clear();
      Breaker.State before = breaker.state();
      String who = message.key() == null ? "id " + message.id() : "key " + message.key();
      long now = now();
      keep = breaker.failed(who, now) || (isOfKind && before == Breaker.State.RATE_LIMITED);
      if (keep && isOfKind) {
        breaker.topicFailed(now);
      }
      opened = before == Breaker.State.CLOSED && !breaker.isClosed();
      if (before == Breaker.State.OPEN) { // where one is open, only probes are tried
        breaker.probeFailed(now);
      } else if (before == Breaker.State.RATE_LIMITED) {
        breaker.triedAtLimitedRate(now);
      }
    }
    gone.forEach(
        kind -> context.tell(new ReceiverEvent.BreakerForgotten(kind.topic(), kind.type())));
    if (opened) {
      context.tell(new ReceiverEvent.BreakerOpened(message.topic(), message.type(), reason));
    }
    return keep;
  }

  private long now() {
    return context.time().nanoTime();
  }

  private static Kind kind(ParkedReceived message) {
    return new Kind(message.topic(), message.type());
  }
}
