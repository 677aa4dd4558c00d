// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static java.time.temporal.ChronoUnit.SECONDS;

import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells how long a route's deliveries take, and finds overdue ones. A handler that never returns,
 * or a publisher that breaks its contract, causes no failure and would otherwise go unnoticed. It
 * looks at all messages in flight every 15 seconds, so that normal deliveries cost nothing.
 */
final class LongDeliveries {

  private static final long LOOK_NANOS = Duration.ofSeconds(15).toNanos();
  private static final long LONG_NANOS = Duration.ofMinutes(1).toNanos();

  private final String route;
  private final RelayListener listener;
  private final TimeSource time;
  private long lookAt;
  private @Nullable Place told;
  private long toldAt;

  LongDeliveries(String route, RelayContext context) {
    this.route = route;
    this.listener = context.listener();
    this.time = context.time();
    this.lookAt = time.nanoTime();
  }

  /** Tells how long a handler took, whatever came of it. */
  void arrived(RouteClient.@Nullable Arrived arrived) {
    if (arrived != null && arrived.worked() != null) {
      listener.on(new RelayEvent.Handled(route, arrived.worked()));
    }
  }

  /** Tells of a message that was published. */
  void delivered(Delivery delivery, long tookNanos) {
    Duration age = Duration.between(delivery.message().time(), time.now());
    Duration took = Duration.ofNanos(tookNanos);
    listener.on(new RelayEvent.Delivered(route, took, age.isNegative() ? Duration.ZERO : age));
  }

  /**
   * Looks where it is time to, and tells of the first that has taken long, once a minute.
   *
   * @param inFlight what is on its way, by position
   */
  void look(long now, Map<Long, RouteClient.Sent> inFlight) {
    if (now - lookAt < 0) {
      return;
    }
    lookAt = now + LOOK_NANOS;
    Optional<RouteClient.Sent> first =
        inFlight.values().stream()
            .filter(sent -> now - sent.atNanos() >= LONG_NANOS)
            .min(Comparator.comparingLong(sent -> sent.delivery().position()));
    if (first.isPresent()) {
      tell(first.get(), now);
    } else if (told != null) {
      told = null;
      listener.on(new RelayEvent.OverdueEnded(route));
    }
  }

  private void tell(RouteClient.Sent sent, long now) {
    Delivery delivery = sent.delivery();
    if (told == null || !delivery.isAt(told) || now - toldAt >= LONG_NANOS) {
      told = delivery.place();
      toldAt = now;
      Duration taken = Duration.ofNanos(now - sent.atNanos());
      listener.on(new RelayEvent.Overdue(delivery.in(route), taken.truncatedTo(SECONDS)));
    }
  }
}
