// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Given;
import java.util.Map;
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
  private final int version;
  private final String topic;
  private final @Nullable Function<? super E, ? extends @Nullable String> key;
  private final @Nullable Function<? super E, Map<String, String>> headers;

  EventType(Builder<E> builder, String name, String topic) {
    this.eventClass = builder.eventClass;
    this.name = name;
    this.version = builder.version;
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

  /** Returns the version, 1 or more. */
  public int version() {
    return version;
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
    int version = 1;
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
      name = Given.check("name", value);
      return this;
    }

    /** Sets the version, 1 or more; the default is 1. */
    public Builder<E> version(int value) {
      version = value;
      return this;
    }

    /** Sets the topic. */
    public Builder<E> topic(String value) {
      topic = Given.check("topic", value);
      return this;
    }

    /** Sets where the key comes from. An event for which it returns null is refused. */
    public Builder<E> key(Function<? super E, ? extends @Nullable String> value) {
      key = Given.check("key", value);
      return this;
    }

    /** Says that these events have no key, and so no order among each other. */
    public Builder<E> keyless() {
      keyless = true;
      return this;
    }

    /** Sets where headers come from; the default is none. */
    public Builder<E> headers(Function<? super E, Map<String, String>> value) {
      headers = Given.check("headers", value);
      return this;
    }

    /**
     * Sets the guard, which refuses an event by returning a reason; the default accepts all events.
     * Appending a refused event fails with {@code OUT-024}, and nothing is written.
     */
    public Builder<E> guard(EventGuard<? super E> value) {
      guard = Given.check("guard", value);
      return this;
    }

    /**
     * Sets the enrichment, which completes an event and may read within the transaction; the
     * default changes nothing.
     */
    public Builder<E> enrich(EventEnrichment<E> value) {
      enrichment = Given.check("enrich", value);
      return this;
    }

    /**
     * Sets the mapping, which returns the events and messages to publish in place of the event:
     * none, one or several. The default is the event itself. With a mapping, the event needs a
     * name, a topic and a key only if the mapping returns it.
     */
    public Builder<E> map(EventMapping<? super E> value) {
      mapping = Given.check("map", value);
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
