// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.event.StateType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a saga has said of itself, checked. Immutable; thread-safe if its handlers are.
 *
 * @param <S> the class of the saga's state
 */
public final class SagaDefinition<S> {

  private final String name;
  private final StateType<S> state;
  private final int stateBytesMax;
  private final Map<Class<?>, SagaMove<S, ?>> moves;
  private final Map<Class<?>, SagaMissing<Object>> missing;
  private final Map<String, Undo<S>> compensations;

  private SagaDefinition(String name, StateType<S> state, SagaBuilder<S> builder) {
    this.name = name;
    this.state = state;
    this.stateBytesMax = builder.stateBytesMax;
    this.moves = Map.copyOf(builder.moves);
    this.missing = Map.copyOf(builder.missing);
    this.compensations = Map.copyOf(builder.compensations);
  }

  /**
   * Asks a saga what it is.
   *
   * @throws ConfigurationException {@code OUT-040} listing all that is missing or wrong, such as
   *     that no message starts it; {@code OUT-006} or {@code OUT-021} if a name or a state's type
   *     is not valid
   */
  public static <S> SagaDefinition<S> of(Saga<S> saga) {
    SagaBuilder<S> builder = new SagaBuilder<>();
    Require.nonNull("saga", saga).define(builder);
    List<String> problems = problems(builder);
    String name = builder.name;
    StateType<S> state = builder.state;
    if (name == null || state == null || !problems.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_SAGA,
          "the saga "
              + (name == null ? saga.getClass().getName() : '"' + name + '"')
              + " cannot work: "
              + String.join("; ", problems));
    }
    return new SagaDefinition<>(name, state, builder);
  }

  private static List<String> problems(SagaBuilder<?> builder) {
    List<String> problems = new ArrayList<>(builder.repeated);
    if (builder.name == null) {
      problems.add("it has no name; call name(…)");
    }
    if (builder.state == null) {
      problems.add("it has no state; call state(…)");
    }
    if (builder.stateBytesMax < 1) {
      problems.add("stateBytesMax is " + builder.stateBytesMax + " but must be 1 or more");
    }
    if (builder.moves.values().stream().noneMatch(SagaMove::starts)) {
      problems.add("no message starts it; call startedBy(…)");
    }
    for (Class<?> eventClass : builder.missing.keySet()) {
      SagaMove<?, ?> move = builder.moves.get(eventClass);
      if (move == null || move.starts() || move.isTimeout()) {
        problems.add(
            "onMissing names "
                + eventClass.getName()
                + ", which no on(…) names; a starter and a time-out are never without their saga");
      }
    }
    builder.compensations.forEach(
        (name, undo) ->
            undo.answers().stream()
                .filter(answer -> !builder.moves.containsKey(answer))
                .forEach(
                    answer ->
                        problems.add(
                            "the compensation \""
                                + name
                                + "\" waits for "
                                + answer.getName()
                                + ", for which there is no handler; add on(…)")));
    return problems;
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Returns how the state is stored. */
  public StateType<S> state() {
    return state;
  }

  /** Returns the classes of the events that start, move or end the saga. */
  public Set<Class<?>> eventClasses() {
    return moves.keySet();
  }

  /** Returns those of them that are time-outs. */
  public Set<Class<?>> timeoutClasses() {
    return moves.values().stream()
        .filter(SagaMove::isTimeout)
        .map(SagaMove::eventClass)
        .collect(Collectors.toUnmodifiableSet());
  }

  int stateBytesMax() {
    return stateBytesMax;
  }

  @Nullable SagaMove<S, ?> move(Class<?> eventClass) {
    return moves.get(eventClass);
  }

  @Nullable SagaMissing<Object> missing(Class<?> eventClass) {
    return missing.get(eventClass);
  }

  @Nullable Undo<S> compensation(String done) {
    return compensations.get(done);
  }
}
