// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.MessageLimits;
import io.outledger.Problems;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds everything that is wrong with the types of a registry, to list it in one exception. */
final class EventTypesCheck {

  private final Problems problems = Problems.of("invalid event types");
  private final Set<Class<?>> classes = new HashSet<>();
  private final Map<String, Class<?>> names = new HashMap<>();
  private final Map<String, Boolean> topics = new HashMap<>();

  EventTypesCheck(Set<String> keyedTopics) {
    for (String topic : keyedTopics) {
      text("keyedTopic", "topic", topic, MessageLimits.TOPIC_CHARS_MAX);
      topics.put(topic, true);
    }
  }

  /**
   * Ends the check.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} listing every problem
   */
  void refuse() {
    problems.refuse();
  }

  <E> Optional<EventType<E>> build(EventType.Builder<E> type) {
    int before = problems.count();
    String event = type.eventClass.getName();
    if (type.isOnlyMapped()) {
      once(type);
      return Optional.empty();
    }
    String name = text(event, "name", type.name, MessageLimits.TYPE_CHARS_MAX);
    String topic = text(event, "topic", type.topic, MessageLimits.TOPIC_CHARS_MAX);
    unique(type, event);
    if (type.version < 1) {
      problems.add(event + ": version is " + type.version + " but must be 1 or more");
    }
    if (type.hasKey() == type.keyless) {
      problems.add(event + ": call either key(…) or keyless()");
    } else if (type.topic != null) {
      sameAsOthers(type, event, type.topic);
    }
    if (name == null || topic == null || problems.count() != before) {
      return Optional.empty();
    }
    return Optional.of(new EventType<>(type, name, topic));
  }

  private void unique(EventType.Builder<?> type, String event) {
    if (!once(type)) {
      return;
    }
    Class<?> other = names.putIfAbsent(type.name + " v" + type.version, type.eventClass);
    if (type.name != null && other != null) {
      problems.add(
          event
              + ": "
              + type.name
              + " v"
              + type.version
              + " is already registered for "
              + other.getName());
    }
  }

  private boolean once(EventType.Builder<?> type) {
    boolean isNew = classes.add(type.eventClass);
    if (!isNew) {
      problems.add(type.eventClass.getName() + " is registered twice");
    }
    return isNew;
  }

  /** A reader of a topic must know whether its messages have an order. */
  private void sameAsOthers(EventType.Builder<?> type, String event, String topic) {
    Boolean others = topics.putIfAbsent(topic, type.hasKey());
    if (others != null && others != type.hasKey()) {
      problems.add(
          event
              + (type.keyless ? ": has no key" : ": has a key")
              + ", but the messages of topic "
              + topic
              + (type.keyless ? " have one" : " have none")
              + "; use another topic");
    }
  }

  private @Nullable String text(String event, String field, @Nullable String value, int max) {
    if (value == null || value.isBlank()) {
      problems.add(event + ": " + field + " is missing");
      return null;
    }
    if (value.length() > max) {
      problems.add(event + ": " + field + " has more than " + max + " characters");
      return null;
    }
    return value;
  }
}
