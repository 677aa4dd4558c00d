// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Require;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How events of one class become messages: the logical name, the version, the topic, the key and
 * the headers. Immutable; thread-safe if its functions are.
 *
 * @param <E> the class of the events
 */
public final class EventType<E> {

  private final Class<E> eventClass;
  private final String name;
  private final Set<String> formerNames;
  private final int version;
  private final Map<TypeVersion, List<Upcast<?>>> readings;
  private final String topic;
  private final @Nullable Function<? super E, ? extends @Nullable String> key;
  private final @Nullable Function<? super E, Map<String, String>> headers;

  EventType(Builder<E> builder, String name, String topic) {
    this.eventClass = builder.eventClass;
    this.name = name;
    this.formerNames = Set.copyOf(builder.formerNames);
    this.version = builder.version;
    this.readings = Collections.unmodifiableMap(builder.upcasts().readings(allNames()));
    this.topic = topic;
    this.key = builder.key;
    this.headers = builder.headers;
  }

  /** Returns the class of the events, matched exactly: a subclass is a type of its own. */
  public Class<E> eventClass() {
    return eventClass;
  }

  /** Returns the logical name, which the message carries as its type. */
  public String name() {
    return name;
  }

  /** Returns the names that this type had before; messages that carry one are of this type. */
  public Set<String> formerNames() {
    return formerNames;
  }

  /** Returns the name and the former names, sorted. */
  Set<String> allNames() {
    Set<String> all = new TreeSet<>(formerNames);
    all.add(name);
    return all;
  }

  /** Returns the version, 1 or more. */
  public int version() {
    return version;
  }

  /**
   * Returns the names and versions that are read as this type: its own version by its name and its
   * former names, each version from which upcasts lead to it, and what it was split from. By name
   * and version.
   */
  public Set<TypeVersion> reads() {
    return readings.keySet();
  }

  /** Returns the classes of trees on which upcasts work: none, or one. */
  Set<Class<?>> trees() {
    Set<Class<?>> trees = new HashSet<>();
    readings.values().forEach(steps -> steps.forEach(step -> trees.add(step.tree())));
    return trees;
  }

  /** Returns what is read, each with the upcasts that lead to this type's version. */
  Map<TypeVersion, List<Upcast<?>>> readings() {
    return readings;
  }

  /** Returns the topic. */
  public String topic() {
    return topic;
  }

  /** Returns whether every event of this type has a key. */
  public boolean keyed() {
    return key != null;
  }

  /** Returns an event's key; null where the type has none, or its function returned none. */
  @Nullable String keyOf(Object event) {
    return key == null ? null : key.apply(eventClass.cast(event));
  }

  Map<String, String> headersOf(Object event) {
    return headers == null ? Map.of() : headers.apply(eventClass.cast(event));
  }

  /**
   * Collects what is said of a type. A name, a topic, and either {@link #key} or {@link #keyless}
   * must be said, unless {@link #map} says what is published in its place; what is missing is
   * listed when the registry is built. Not thread-safe.
   *
   * <p>An event that is appended passes its guard, its enrichment and its mapping, in this order,
   * each where there is one.
   *
   * @param <E> the class of the events
   */
  public static final class Builder<E> {

    final Class<E> eventClass;
    @Nullable String name;
    final Set<String> formerNames = new TreeSet<>();
    int version = 1;
    private final List<Upcast<?>> steps = new ArrayList<>();
    private final List<Upcast<?>> splits = new ArrayList<>();
    @Nullable String topic;
    boolean keyless;
    private @Nullable Function<? super E, ? extends @Nullable String> key;
    private @Nullable Function<? super E, Map<String, String>> headers;
    private @Nullable EventGuard<? super E> guard;
    private @Nullable EventEnrichment<E> enrichment;
    private @Nullable EventMapping<? super E> mapping;

    Builder(Class<E> eventClass) {
      this.eventClass = eventClass;
    }

    /** Sets the logical name, such as {@code order.placed}; never a class name. */
    public Builder<E> name(String value) {
      name = Require.nonNull("name", value);
      return this;
    }

    /**
     * Adds names that this type had before, in the same version. A message that carries one is read
     * as this class, and goes to its handler; new messages carry {@link #name}. Keep a former name
     * until no such message can arrive any more: the ledger's, the brokers' and the dead letters'.
     */
    public Builder<E> formerly(String... names) {
      for (String former : Require.nonNull("names", names)) {
        formerNames.add(Require.nonNull("former", former));
      }
      return this;
    }

    /** Sets the version, 1 or more; the default is 1. */
    public Builder<E> version(int value) {
      version = value;
      return this;
    }

    /**
     * Reads payloads of an older version, by the name and by the {@linkplain #formerly former}
     * names, as this class: a step that makes a payload of one version a payload of a later one.
     * Steps are applied one after another until this type's version is reached. New messages are
     * written in this type's version alone.
     *
     * <pre>{@code
     * type.version(3)
     *     .upcast(1, 2, ObjectNode.class, json -> json.set("cents", json.remove("amount")))
     *     .upcast(2, 3, ObjectNode.class, json -> json.put("currency", "EUR"))
     * }</pre>
     *
     * @param from the older version, 1 or more
     * @param to a later version: this type's, or one from which another step leads on
     * @param tree the class of a payload's tree, as the serializer reads it: with Jackson its
     *     {@code ObjectNode}
     * @param step changes the tree and returns it, or returns another one; thread-safe. What it
     *     throws makes the message fail with {@code OUT-015}
     */
    public <T> Builder<E> upcast(
        int from, int to, Class<T> tree, Function<? super T, ? extends T> step) {
      steps.add(
          new Upcast<>(
              null, from, to, Require.nonNull("tree", tree), Require.nonNull("step", step)));
      return this;
    }

    /**
     * Reads some of the messages of a type that was split as this class. Several classes may name
     * the same type and version; exactly one of them must take each payload.
     *
     * <pre>{@code
     * type.name("order.moved")
     *     .splitFrom("order.changed", 1, 1, ObjectNode.class, json -> json.has("to") ? json : null)
     * }</pre>
     *
     * @param name the name of the type that was split, which no class has any more
     * @param from its version, 1 or more
     * @param to the version of this type that the payload then has: this type's, or one from which
     *     an {@link #upcast} leads on
     * @param tree as for {@link #upcast}
     * @param step returns the payload's tree, changed if need be; null if the payload is none of
     *     this class
     */
    public <T> Builder<E> splitFrom(
        String name,
        int from,
        int to,
        Class<T> tree,
        Function<? super T, ? extends @Nullable T> step) {
      splits.add(
          new Upcast<>(
              Require.nonNull("name", name),
              from,
              to,
              Require.nonNull("tree", tree),
              Require.nonNull("step", step)));
      return this;
    }

    Upcasts upcasts() {
      return new Upcasts(version, List.copyOf(steps), List.copyOf(splits));
    }

    /** Sets the topic. */
    public Builder<E> topic(String value) {
      topic = Require.nonNull("topic", value);
      return this;
    }

    /** Sets where the key comes from. An event for which it returns null is refused. */
    public Builder<E> key(Function<? super E, ? extends @Nullable String> value) {
      key = Require.nonNull("key", value);
      return this;
    }

    /** Says that these events have no key, and so no order among each other. */
    public Builder<E> keyless() {
      keyless = true;
      return this;
    }

    /** Sets where headers come from; the default is none. */
    public Builder<E> headers(Function<? super E, Map<String, String>> value) {
      headers = Require.nonNull("headers", value);
      return this;
    }

    /**
     * Sets the guard, which refuses an event by returning a reason; the default accepts all events.
     * Appending a refused event fails with {@code OUT-024}, and nothing is written.
     */
    public Builder<E> guard(EventGuard<? super E> value) {
      guard = Require.nonNull("guard", value);
      return this;
    }

    /**
     * Sets the enrichment, which completes an event and may read within the transaction; the
     * default changes nothing.
     */
    public Builder<E> enrich(EventEnrichment<E> value) {
      enrichment = Require.nonNull("enrich", value);
      return this;
    }

    /**
     * Sets the mapping, which returns the events and messages to publish in place of the event:
     * none, one or several. The default is the event itself. With a mapping, the event needs a
     * name, a topic and a key only if the mapping returns it.
     */
    public Builder<E> map(EventMapping<? super E> value) {
      mapping = Require.nonNull("map", value);
      return this;
    }

    /** Returns whether the event is only mapped, and never published itself. */
    boolean isOnlyMapped() {
      return mapping != null && name == null && topic == null && key == null && !keyless;
    }

    boolean hasKey() {
      return key != null;
    }

    EventTransforms<E> transforms() {
      return new EventTransforms<>(eventClass, guard, enrichment, mapping);
    }
  }
}
