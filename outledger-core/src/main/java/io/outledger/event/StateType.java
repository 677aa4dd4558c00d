// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.MessageLimits;
import io.outledger.Require;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How the state of something that outlives a message is stored: under a logical name and a version,
 * as an event is, and never under the name of a class. Older versions are read by upcasts, those of
 * {@link EventType.Builder}. Immutable; thread-safe if its functions are.
 *
 * @param <S> the class of the state
 */
public final class StateType<S> {

  /** A topic, which the type of an event must have, and that of a state does not use. */
  private static final String NO_TOPIC = "state";

  private final Class<S> stateClass;
  private final EventTypes types;

  private StateType(Class<S> stateClass, EventTypes types) {
    this.stateClass = stateClass;
    this.types = types;
  }

  /**
   * Makes one.
   *
   * @param stateClass the class of the state, matched exactly
   * @param type sets its name, and its version where that is not 1
   * @throws io.outledger.ConfigurationException {@code OUT-021} listing every problem
   */
  public static <S> StateType<S> of(Class<S> stateClass, Consumer<Builder<S>> type) {
    Require.nonNull("stateClass", stateClass);
    Require.nonNull("type", type);
    EventTypes types =
        EventTypes.builder()
            .register(
                stateClass, stored -> type.accept(new Builder<>(stored.topic(NO_TOPIC).keyless())))
            .build();
    return new StateType<>(stateClass, types);
  }

  /** Returns the class of the state. */
  public Class<S> stateClass() {
    return stateClass;
  }

  /** Returns the logical name. */
  public String name() {
    return types.of(stateClass).name();
  }

  /** Returns the version in which states are written, 1 or more. */
  public int version() {
    return types.of(stateClass).version();
  }

  /**
   * Returns what writes and reads states as the payloads of an application's events are.
   *
   * @param events the application's, which have the serializer
   * @param bytesMax the most bytes that a written state may have
   * @throws io.outledger.ConfigurationException {@code OUT-021} if there is no serializer, or it
   *     cannot write and read the class
   */
  public StateFormat<S> in(Events events, int bytesMax) {
    PayloadSerializer serializer = Require.nonNull("events", events).serializer(name());
    Events states =
        Events.builder()
            .types(types)
            .serializer(serializer)
            .payloadBytesMax(MessageLimits.PAYLOAD_BYTES_MAX)
            .build();
    return new StateFormat<>(this, states, bytesMax);
  }

  /**
   * Collects what is said of a state's type. Not thread-safe.
   *
   * @param <S> the class of the state
   */
  public static final class Builder<S> {

    private final EventType.Builder<S> type;

    private Builder(EventType.Builder<S> type) {
      this.type = type;
    }

    /** Sets the logical name, such as {@code renewal.state}; never a class name. It is required. */
    public Builder<S> name(String value) {
      type.name(value);
      return this;
    }

    /** Adds names that this type had before; see {@link EventType.Builder#formerly}. */
    public Builder<S> formerly(String... names) {
      type.formerly(names);
      return this;
    }

    /** Sets the version, 1 or more; the default is 1. */
    public Builder<S> version(int value) {
      type.version(value);
      return this;
    }

    /**
     * Reads states of an older version; see {@link EventType.Builder#upcast}.
     *
     * @param from the older version, 1 or more
     * @param to a later version: this type's, or one from which another step leads on
     * @param tree the class of a tree, as the serializer reads it
     * @param step changes the tree and returns it, or returns another one; thread-safe
     */
    public <T> Builder<S> upcast(
        int from, int to, Class<T> tree, Function<? super T, ? extends T> step) {
      type.upcast(from, to, tree, step);
      return this;
    }
  }
}
