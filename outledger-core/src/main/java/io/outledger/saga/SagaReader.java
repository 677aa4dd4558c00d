// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.UnreadablePayloadException;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.StateFormat;
import io.outledger.event.TypeVersion;
import java.util.Map;
import java.util.Optional;

/**
 * Reads stored sagas as a build does that would write them back: whole, or not at all. What it left
 * out would be gone from the row, and missed by the build that has written it. Immutable;
 * thread-safe if the saga is.
 *
 * @param <S> the class of the saga's state
 */
public final class SagaReader<S> {

  private final SagaDefinition<S> definition;
  private final StateFormat<S> states;

  SagaReader(SagaDefinition<S> definition, Events events) {
    this.definition = definition;
    this.states = definition.state().in(events, definition.stateBytesMax());
  }

  /**
   * Makes it.
   *
   * @param events the application's, whose serializer reads the state
   * @throws io.outledger.ConfigurationException as {@link SagaDefinition#of} does; {@code OUT-021}
   *     if the serializer cannot write and read the state
   */
  public static <S> SagaReader<S> of(Saga<S> saga, Events events) {
    Require.nonNull("events", events);
    return new SagaReader<>(SagaDefinition.of(saga), events);
  }

  /** Returns the saga's name. */
  public String name() {
    return definition.name();
  }

  /**
   * Returns why this build cannot go on with a saga, for people: its state is of a name, version or
   * field that the build does not have, or it has done what no compensation undoes. Empty where it
   * can.
   */
  public Optional<String> problem(SagaRow row) {
    try {
      read(Require.nonNull("row", row));
      return Optional.empty();
    } catch (InvalidMessageException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the state of a saga.
   *
   * @throws StoreException {@code OUT-042} if this build cannot go on with it; see {@link #problem}
   */
  public S state(SagaRow row) {
    try {
      return read(Require.nonNull("row", row));
    } catch (InvalidMessageException e) {
      throw new StoreException(
          ErrorCode.SAGA_UNREADABLE,
          "saga "
              + row.id()
              + " has the state "
              + row.type()
              + ", which this build cannot read ("
              + e.getMessage()
              + "); its message is kept, without an attempt, for a build that can: deploy the"
              + " version that wrote it, or teach this one",
          e);
    }
  }

  private S read(SagaRow row) {
    for (String done : row.progress().done()) {
      if (definition.compensation(done) == null) {
        throw new UnreadablePayloadException(
            ErrorCode.UNREADABLE_PAYLOAD,
            "it has done \"" + done + "\", and there is no compensation(…) of that name");
      }
    }
    return states.read(row.type(), row.state());
  }

  /**
   * Returns whether a message is read as a time-out of this saga: another one that takes the same
   * class does not get it.
   *
   * @param message its name and version
   * @param saga whose time-out it is, as {@link #sagaOf} tells
   */
  public boolean takesTimeout(EventTypes types, TypeVersion message, String saga) {
    Require.nonNull("message", message);
    return name().equals(Require.nonNull("saga", saga))
        && Require.nonNull("types", types).readAs(message.name(), message.version()).stream()
            .anyMatch(type -> definition.timeoutClasses().contains(type.eventClass()));
  }

  /**
   * Returns the name of the saga whose time-out a message is; empty where it is none.
   *
   * @param headers the message's
   */
  public static Optional<String> sagaOf(Map<String, String> headers) {
    return Optional.ofNullable(SagaWork.TimeoutHeaders.of(Require.nonNull("headers", headers)))
        .map(SagaWork.TimeoutHeaders::saga);
  }

  StateFormat<S> states() {
    return states;
  }
}
