// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import io.outledger.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The registry of event types. It maps each class to the description of its messages, and each name
 * and version to the class to read. Both match exactly; a class that is not registered is never
 * loaded. Immutable and thread-safe.
 */
public final class EventTypes {

  private static final EventTypes NONE = builder().build();

  private final Map<Class<?>, EventType<?>> byClass;
  private final Map<TypeVersion, List<ReadAs>> byName;
  private final Map<Class<?>, EventTransforms<?>> transforms;
  private final Set<String> keyedTopics;

  private EventTypes(
      List<EventType<?>> types,
      Map<Class<?>, EventTransforms<?>> transforms,
      Set<String> keyedTopics) {
    Map<Class<?>, EventType<?>> classes = new LinkedHashMap<>();
    Map<TypeVersion, List<ReadAs>> names = new LinkedHashMap<>();
    Set<String> keyed = new TreeSet<>(keyedTopics);
    for (EventType<?> type : types) {
      classes.put(type.eventClass(), type);
      type.readings()
          .forEach(
              (name, upcasts) ->
                  names
                      .computeIfAbsent(name, each -> new ArrayList<>())
                      .add(new ReadAs(type, upcasts)));
      if (type.keyed()) {
        keyed.add(type.topic());
      }
    }
    this.byClass = Map.copyOf(classes);
    names.replaceAll((name, readings) -> List.copyOf(readings));
    this.byName = Map.copyOf(names);
    this.transforms = Map.copyOf(transforms);
    this.keyedTopics = Set.copyOf(keyed);
  }

  /** Returns a builder of a registry. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the empty registry: with it, an outbox accepts messages but no events. */
  public static EventTypes none() {
    return NONE;
  }

  /**
   * Returns the type of a class.
   *
   * @throws InvalidMessageException {@code OUT-011} if the class is not registered
   */
  public EventType<?> of(Class<?> eventClass) {
    EventType<?> type = byClass.get(Require.nonNull("eventClass", eventClass));
    if (type == null && transforms.containsKey(eventClass)) {
      throw new InvalidMessageException(
          ErrorCode.UNREGISTERED_TYPE,
          "the class "
              + eventClass.getName()
              + " is registered with map(…) only, so its events are not published themselves; give"
              + " it a name, a topic and a key, or map it to other events");
    }
    if (type == null) {
      throw new InvalidMessageException(
          ErrorCode.UNREGISTERED_TYPE,
          "the class "
              + eventClass.getName()
              + " is not registered as an event type; it needs "
              + Setting.EVENT_TYPE);
    }
    return type;
  }

  /**
   * Returns the type as which messages of a name and a version are read; also by a {@linkplain
   * EventType.Builder#formerly former} name, and by {@linkplain EventType.Builder#upcast upcasts}.
   * Empty where none is registered, and where a type was split into several, so that the payload
   * decides: {@link #readAs} returns these.
   */
  public Optional<EventType<?>> of(String name, int version) {
    List<ReadAs> readings = readings(new TypeVersion(name, version));
    return readings.size() == 1 ? Optional.of(readings.get(0).type()) : Optional.empty();
  }

  /**
   * Returns the types as which messages of a name and a version may be read: none where it is not
   * registered, and several where a type was {@linkplain EventType.Builder#splitFrom split}.
   */
  public List<EventType<?>> readAs(String name, int version) {
    List<EventType<?>> types = new ArrayList<>();
    readings(new TypeVersion(name, version)).forEach(reading -> types.add(reading.type()));
    return types;
  }

  /** Returns the ways in which messages of a name and a version are read; empty where none. */
  List<ReadAs> readings(TypeVersion name) {
    return byName.getOrDefault(name, List.of());
  }

  /** Returns all types that have a name, by name and version. */
  public List<EventType<?>> all() {
    return byClass.values().stream()
        .sorted(
            Comparator.<EventType<?>, String>comparing(EventType::name)
                .thenComparing(EventType::version))
        .toList();
  }

  /** Returns the transforms that events of a class pass while they are appended; null if none. */
  @Nullable EventTransforms<?> transformsOf(Class<?> eventClass) {
    return transforms.get(eventClass);
  }

  /** Returns whether every message of a topic must have a key. */
  public boolean requiresKey(String topic) {
    return keyedTopics.contains(Require.nonNull("topic", topic));
  }

  /**
   * Returns whether events of a class can be appended: it is registered, under a name or with a
   * mapping alone.
   */
  public boolean isRegistered(Class<?> eventClass) {
    Require.nonNull("eventClass", eventClass);
    return byClass.containsKey(eventClass) || transforms.containsKey(eventClass);
  }

  /** Returns whether no type is registered. */
  public boolean isEmpty() {
    return byClass.isEmpty() && transforms.isEmpty();
  }

  /** Collects event types. Not thread-safe. */
  public static final class Builder {

    private final List<EventType.Builder<?>> types = new ArrayList<>();
    private final Set<String> keyedTopics = new TreeSet<>();

    private Builder() {}

    /**
     * Registers a class.
     *
     * @param eventClass the class of the events, matched exactly
     * @param type sets its name, topic and key, or what to publish in its place
     */
    public <E> Builder register(Class<E> eventClass, Consumer<EventType.Builder<E>> type) {
      EventType.Builder<E> builder =
          new EventType.Builder<>(Require.nonNull("eventClass", eventClass));
      Require.nonNull("type", type).accept(builder);
      types.add(builder);
      return this;
    }

    /** Returns whether no type was registered so far. */
    boolean isEmpty() {
      return types.isEmpty();
    }

    /** Returns whether a class was registered so far. */
    public boolean isRegistered(Class<?> eventClass) {
      Require.nonNull("eventClass", eventClass);
      return types.stream().anyMatch(type -> type.eventClass == eventClass);
    }

    /**
     * Requires a key for every message of a topic that is used without event types. A topic of an
     * event type with a key always requires one.
     */
    public Builder keyedTopic(String topic) {
      keyedTopics.add(Require.nonNull("topic", topic));
      return this;
    }

    /**
     * Builds the registry.
     *
     * @throws ConfigurationException {@code OUT-021} listing every problem
     */
    public EventTypes build() {
      EventTypesCheck check = new EventTypesCheck(keyedTopics);
      List<EventType<?>> built = new ArrayList<>();
      Map<Class<?>, EventTransforms<?>> transforms = new LinkedHashMap<>();
      for (EventType.Builder<?> type : types) {
        check.build(type).ifPresent(built::add);
        EventTransforms<?> taken = type.transforms();
        if (!taken.isEmpty()) {
          transforms.put(taken.eventClass(), taken);
        }
      }
      check.refuse();
      return new EventTypes(built, transforms, keyedTopics);
    }
  }
}
