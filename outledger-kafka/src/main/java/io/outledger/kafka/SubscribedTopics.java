// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The topics of a receiver, less those that may not be read now: Kafka answers for all of them with
 * an error where one is denied. A denied one is tried again after a while.
 */
final class SubscribedTopics {

  private static final long AGAIN_NANOS = Duration.ofSeconds(15).toNanos();

  private final List<String> all;
  private final Map<String, Long> deniedUntil = new HashMap<>();

  SubscribedTopics(Collection<String> all) {
    this.all = List.copyOf(all);
  }

  /** Returns the topics to subscribe to; all of them where none is left. */
  List<String> current() {
    return isNoneLeft()
        ? all
        : all.stream().filter(topic -> !deniedUntil.containsKey(topic)).toList();
  }

  /** Says whether every topic is denied. */
  boolean isNoneLeft() {
    return deniedUntil.keySet().containsAll(all);
  }

  boolean isAnyDenied() {
    return !deniedUntil.isEmpty();
  }

  boolean isDenied(String topic) {
    return deniedUntil.containsKey(topic);
  }

  /** Leaves topics out, and returns whether that changes anything. */
  boolean denied(Collection<String> topics, long now) {
    boolean changed = false;
    for (String topic : topics) {
      changed |= deniedUntil.putIfAbsent(topic, now + AGAIN_NANOS) == null;
    }
    return changed;
  }

  /** Takes topics in again whose time has come, and returns whether there are any. */
  boolean takeDue(long now) {
    return deniedUntil.values().removeIf(until -> now - until >= 0);
  }
}
