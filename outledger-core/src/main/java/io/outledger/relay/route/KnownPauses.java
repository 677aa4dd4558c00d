// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.Message;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import io.outledger.store.Pauses;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an owner knows to be paused. It is never older than the last page, nor than a second. */
final class KnownPauses {

  private static final long UNKNOWN = -1;
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private Pauses known = new Pauses(UNKNOWN, Map.of());
  private final Map<String, Paused> routes = new HashMap<>();
  private final Map<String, Paused> topics = new HashMap<>();
  private final Map<String, Paused> keys = new HashMap<>();
  private @Nullable Paused whole;
  private long seenAt;

  /** Returns whether a page shows something else than is known, or nothing is known yet. */
  boolean differs(long shown) {
    return shown != known.revision();
  }

  /** Returns whether it was not seen for so long that it must be read again. */
  boolean isOld(long nanos) {
    return known.revision() == UNKNOWN || nanos - seenAt >= FRESH_NANOS;
  }

  /** Notes that a page has shown what is known. */
  void seen(long nanos) {
    seenAt = nanos;
  }

  /** Takes what is paused now, and returns whether that is something else than before. */
  boolean take(Pauses pauses, long nanos) {
    boolean isOther = !pauses.current().equals(known.current());
    known = pauses;
    seenAt = nanos;
    routes.clear();
    topics.clear();
    keys.clear();
    whole = null;
    pauses.current().forEach(this::put);
    return isOther;
  }

  private void put(PauseScope scope, Paused paused) {
    switch (scope.kind()) {
      case SUBSCRIPTION -> whole = paused;
      case ROUTE -> routes.put(scope.name(), paused);
      case TOPIC -> topics.put(scope.name(), paused);
      case KEY -> keys.put(scope.name(), paused);
    }
  }

  Pauses all() {
    return known;
  }

  /** Returns why a route sends nothing; null where it may. */
  @Nullable Paused ofRoute(String route) {
    Paused all = whole;
    return all == null ? routes.get(route) : all;
  }

  /** Returns why a message is set aside; null where it is not. */
  @Nullable Paused of(Message message) {
    Paused paused = topics.isEmpty() ? null : topics.get(message.topic());
    String key = message.key();
    return paused != null || key == null || keys.isEmpty() ? paused : keys.get(key);
  }
}
