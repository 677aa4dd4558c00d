// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import io.outledger.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The world outside the process, which a crash leaves as it is. Thread-safe. */
final class Outside {

  private final List<String> effects = new ArrayList<>();
  private final Set<String> repeatable = new LinkedHashSet<>();
  private final Map<UUID, String> published = new LinkedHashMap<>();
  private final List<Message> broker = new ArrayList<>();
  private final Map<String, Integer> acknowledged = new HashMap<>();

  /** Names a message by what is the same in each run. */
  static String name(String type, int version, String topic, @Nullable String key) {
    return type + " v" + version + " to " + topic + (key == null ? "" : " with key " + key);
  }

  synchronized void effect(String name) {
    effects.add("effect: " + name);
  }

  synchronized void repeatableEffect(String name) {
    repeatable.add("effect: " + name);
  }

  /** A message that is published again is the same message; publishing is at least once. */
  synchronized void published(Message message) {
    published.put(
        message.id(),
        "message: " + name(message.type(), message.version(), message.topic(), message.key()));
  }

  synchronized void store(Message message) {
    broker.add(message);
  }

  /** Returns the first message that a consumer has not acknowledged; null where there is none. */
  synchronized @Nullable Message next(String consumer) {
    int offset = acknowledged.getOrDefault(consumer, 0);
    return offset < broker.size() ? broker.get(offset) : null;
  }

  synchronized void acknowledge(String consumer) {
    acknowledged.merge(consumer, 1, Integer::sum);
  }

  synchronized List<String> observed() {
    List<String> lines = new ArrayList<>(effects);
    lines.addAll(repeatable);
    lines.addAll(published.values());
    return lines;
  }
}
