// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.MessageLimits;
import io.outledger.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds everything that is wrong with the types of a registry, to list it in one exception. */
final class EventTypesCheck {

  private final Problems problems = Problems.of("invalid event types");
  private final Set<Class<?>> classes = new HashSet<>();
  private final Map<TypeVersion, Class<?>> names = new HashMap<>();
  private final List<Split> splits = new ArrayList<>();
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
    splits();
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
    upcasts(type, event);
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
    if (type.name != null) {
      uniqueName(type, event, type.name);
    }
    for (String former : type.formerNames) {
      if (text(event, "former name", former, MessageLimits.TYPE_CHARS_MAX) == null) {
        continue;
      }
      if (former.equals(type.name)) {
        problems.add(event + ": formerly " + former + " is its name; name another, or none");
      } else {
        uniqueName(type, event, former);
      }
    }
  }

  private void uniqueName(EventType.Builder<?> type, String event, String name) {
    uniqueName(type, event, new TypeVersion(name, type.version));
  }

  private void uniqueName(EventType.Builder<?> type, String event, TypeVersion name) {
    Class<?> other = names.putIfAbsent(name, type.eventClass);
    if (other != null) {
      problems.add(event + ": " + name + " is already registered for " + other.getName());
    }
  }

  /** An older version is of one class, and what was split of none. */
  private void upcasts(EventType.Builder<?> type, String event) {
    Upcasts upcasts = type.upcasts();
    Set<String> own = new TreeSet<>(type.formerNames);
    if (type.name != null) {
      own.add(type.name);
    }
    upcasts.check(event, own, problems);
    for (Upcast<?> step : upcasts.steps()) {
      own.forEach(name -> uniqueName(type, event, new TypeVersion(name, step.from())));
    }
    for (Upcast<?> split : upcasts.splits()) {
      if (text(event, "the name of a split type", split.splitName(), MessageLimits.TYPE_CHARS_MAX)
          != null) {
        splits.add(new Split(event, split));
      }
    }
  }

  private record Split(String event, Upcast<?> upcast) {

    TypeVersion name() {
      return new TypeVersion(String.valueOf(upcast.splitName()), upcast.from());
    }
  }

  /** When all types are known: a type that was split is nobody's own. */
  private void splits() {
    Set<String> seen = new HashSet<>();
    for (Split split : splits) {
      Class<?> owner = names.get(split.name());
      if (owner != null) {
        problems.add(
            split.event()
                + ": the "
                + split.upcast()
                + " cannot be, as "
                + owner.getName()
                + " is registered for "
                + split.name());
      } else if (!seen.add(split.event() + " " + split.name())) {
        problems.add(split.event() + ": there are two of the " + split.upcast() + "; leave one");
      }
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
