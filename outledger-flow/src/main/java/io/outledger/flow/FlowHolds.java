// SPDX-License-Identifier: Apache-2.0
package io.outledger.flow;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys of rejected messages. Until the relay has heard of a rejection it hands over what
 * follows of the key; that is not delivered. When the relay hands over again what it was told of,
 * it has heard. Not thread-safe.
 */
final class FlowHolds {

  /** More than a relay has under way, so it has heard of what was rejected before these. */
  static final int KEYS_MAX = 100_000;

  // The last position of a key that the relay was told of, the oldest rejections first.
  private final Map<String, Long> lastPositions = new LinkedHashMap<>();

  /** Notes that a message of a key was rejected. */
  void hold(String key, long lastPosition) {
    Long before = lastPositions.remove(key);
    lastPositions.put(key, before == null ? lastPosition : Math.max(before, lastPosition));
    if (lastPositions.size() > KEYS_MAX) {
      lastPositions.remove(lastPositions.keySet().iterator().next());
    }
  }

  /** Says whether a message that was handed over now must wait; notes that its relay is told. */
  boolean keeps(String key, long position) {
    Long last = lastPositions.get(key);
    if (last == null) {
      return false;
    }
    if (position > last) {
      lastPositions.put(key, position);
      return true;
    }
    lastPositions.remove(key);
    return false;
  }
}
