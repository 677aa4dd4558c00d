// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.Name;
import io.outledger.Require;
import io.outledger.event.StateType;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a saga is. A name, a state and at least one message that starts it must be said;
 * all that is missing or wrong is listed at the start, with {@code OUT-040}. Not thread-safe.
 *
 * @param <S> the class of the saga's state
 */
public final class SagaBuilder<S> {

  /** The default of the most bytes of a written state: 64 KiB. */
  public static final int STATE_BYTES_MAX = 65_536;

  @Nullable String name;
  @Nullable StateType<S> state;
  int stateBytesMax = STATE_BYTES_MAX;
  final Map<Class<?>, SagaMove<S, ?>> moves = new LinkedHashMap<>();
  final Map<Class<?>, SagaMissing<Object>> missing = new LinkedHashMap<>();
  final Map<String, Undo<S>> compensations = new LinkedHashMap<>();
  final Set<String> repeated = new LinkedHashSet<>();

  SagaBuilder() {}

  /**
   * Sets the name, under which sagas are stored and shown to operators. It must not change, and no
   * other saga of the database has it.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} if it is not valid
   */
  public SagaBuilder<S> name(String value) {
    name = Name.check("saga", value);
    return this;
  }

  /**
   * Sets how the state is stored.
   *
   * @param stateClass the class of the state, matched exactly
   * @param type sets the logical name of the state, and its version and upcasts where it has any
   * @throws io.outledger.ConfigurationException {@code OUT-021} listing every problem
   */
  public SagaBuilder<S> state(Class<S> stateClass, Consumer<StateType.Builder<S>> type) {
    state = StateType.of(stateClass, type);
    return this;
  }

  /**
   * Sets the most bytes of a written state; the default is {@value #STATE_BYTES_MAX}. A step that
   * makes it larger fails with {@code OUT-013}, and has no effect.
   *
   * @param value 1 or more; checked at the start
   */
  public SagaBuilder<S> stateBytesMax(int value) {
    stateBytesMax = value;
    return this;
  }

  /**
   * Adds a message that starts a saga. Where one of its key is there already, the handler gets that
   * one: {@link SagaStep#isNew()} tells.
   *
   * @param eventClass a registered class, matched exactly
   * @param key finds the key of the saga in an event
   * @param handler gives the saga its state by {@link SagaStep#become}
   */
  public <E> SagaBuilder<S> startedBy(
      Class<E> eventClass,
      Function<? super E, ? extends @Nullable String> key,
      SagaHandler<S, ? super E> handler) {
    return move(eventClass, true, Require.nonNull("key", key), handler);
  }

  /**
   * Adds a message that moves a saga. Where none of its key is there, {@link #onMissing} says what
   * is done.
   *
   * @param eventClass a registered class, matched exactly
   * @param key finds the key of the saga in an event
   * @param handler moves the saga, or ends it
   */
  public <E> SagaBuilder<S> on(
      Class<E> eventClass,
      Function<? super E, ? extends @Nullable String> key,
      SagaHandler<S, ? super E> handler) {
    return move(eventClass, false, Require.nonNull("key", key), handler);
  }

  /**
   * Adds a time-out, which a step schedules by {@link SagaStep#timeoutAfter} or {@link
   * SagaStep#timeoutAt}. Its message carries the key of the saga. One that comes when the saga does
   * not wait for it any more is counted, and has no effect.
   *
   * @param eventClass a registered class, matched exactly
   * @param handler moves the saga, or ends it
   */
  public <E> SagaBuilder<S> onTimeout(Class<E> eventClass, SagaHandler<S, ? super E> handler) {
    return move(eventClass, false, null, handler);
  }

  private <E> SagaBuilder<S> move(
      Class<E> eventClass,
      boolean starts,
      @Nullable Function<? super E, ? extends @Nullable String> key,
      SagaHandler<S, ? super E> handler) {
    Require.nonNull("eventClass", eventClass);
    Require.nonNull("handler of " + eventClass.getName(), handler);
    if (moves.putIfAbsent(eventClass, new SagaMove<>(starts, eventClass, key, handler)) != null) {
      repeated.add("two handlers were added for " + eventClass.getName() + "; add one");
    }
    return this;
  }

  /**
   * Sets what is done with a message whose saga is not there: it has ended, or has not started yet.
   * By default it is counted, and has no effect.
   *
   * @param eventClass a class that {@link #on} names
   * @param handler does it; what it throws has the message delivered again
   */
  public <E> SagaBuilder<S> onMissing(Class<E> eventClass, SagaMissing<? super E> handler) {
    Require.nonNull("eventClass", eventClass);
    Require.nonNull("handler of " + eventClass.getName(), handler);
    SagaMissing<Object> untyped =
        (event, context) -> handler.handle(eventClass.cast(event), context);
    if (missing.putIfAbsent(eventClass, untyped) != null) {
      repeated.add("onMissing is called twice for " + eventClass.getName() + "; call it once");
    }
    return this;
  }

  /**
   * Adds what compensates for something that a step has done, and notes by {@link SagaStep#done}.
   *
   * @param name what was done, such as {@code charge}
   * @param compensation undoes it
   * @param answers the classes of the messages that say what has come of it, for a compensation
   *     that waits by {@link SagaStep#waitFor}: until one has come, no other message moves the
   *     compensation on. Each is of a handler of this saga; one may be a time-out that the
   *     compensation schedules
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   */
  public SagaBuilder<S> compensation(
      String name, SagaCompensation<S> compensation, Class<?>... answers) {
    Name.check("compensation", name);
    Require.nonNull("compensation", compensation);
    Set<Class<?>> classes = new LinkedHashSet<>();
    for (Class<?> each : Require.nonNull("answers", answers)) {
      classes.add(Require.nonNull("an answer of compensation " + name, each));
    }
    if (compensations.putIfAbsent(name, new Undo<>(compensation, classes)) != null) {
      repeated.add("two compensations have the name \"" + name + "\"; give each its own");
    }
    return this;
  }
}
