// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.MessageLimits;
import io.outledger.Require;
import io.outledger.Setting;
import io.outledger.event.Events;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A saga at work: finds the instance that a message belongs to, runs the step, and writes what
 * comes of it. Each call is a part of one transaction, which rolls back if it throws. Thread-safe
 * if the saga is.
 *
 * @param <S> the class of the saga's state
 */
public final class SagaWork<S> {

  private final SagaDefinition<S> definition;
  private final Events events;
  private final SagaReader<S> reader;

  private SagaWork(SagaDefinition<S> definition, Events events) {
    this.definition = definition;
    this.events = events;
    for (Class<?> eventClass : definition.eventClasses()) {
      if (!events.types().isRegistered(eventClass)) {
        throw new ConfigurationException(
            ErrorCode.UNREGISTERED_TYPE,
            "saga \""
                + definition.name()
                + "\" takes "
                + eventClass.getName()
                + ", which is not registered as an event type; it needs "
                + Setting.EVENT_TYPE);
      }
    }
    this.reader = new SagaReader<>(definition, events);
  }

  /**
   * Makes it.
   *
   * @param events the application's, whose serializer writes the state
   * @throws io.outledger.ConfigurationException as {@link SagaDefinition#of} does; {@code OUT-021}
   *     if the serializer cannot write and read the state, {@code OUT-011} if a message of the saga
   *     is not registered
   */
  public static <S> SagaWork<S> of(Saga<S> saga, Events events) {
    Require.nonNull("events", events);
    return new SagaWork<>(SagaDefinition.of(saga), events);
  }

  /** Returns the saga's name. */
  public String name() {
    return definition.name();
  }

  /** Returns the classes of the events that start, move or end the saga. */
  public Set<Class<?>> eventClasses() {
    return definition.eventClasses();
  }

  /** Returns those of them that are time-outs. */
  public Set<Class<?>> timeoutClasses() {
    return definition.timeoutClasses();
  }

  /** Returns whether a message is a time-out as a step of this saga schedules it. */
  public boolean isTimeout(Message message) {
    Require.nonNull("message", message);
    TimeoutHeaders timeout = TimeoutHeaders.of(message.headers());
    return timeout != null && timeout.saga().equals(name()) && timeout.token().equals(message.id());
  }

  /** Reads the state of a row; see {@link SagaReader#state}. */
  public S state(SagaRow row) {
    return reader.state(Require.nonNull("row", row));
  }

  /**
   * Handles an event.
   *
   * @param event of one of the {@link #eventClasses()}
   * @param headers those of its message
   * @param room the parts of the transaction
   * @throws InvalidMessageException {@code OUT-014} if the event has no key for this saga, {@code
   *     OUT-013} if the state has become too large
   * @throws io.outledger.StoreException {@code OUT-041} if another message has moved the saga
   *     meanwhile; {@code OUT-042} if this build cannot read what another has stored
   * @throws Exception what the step throws
   */
  public SagaOutcome handle(Object event, Map<String, String> headers, SagaRoom room)
      throws Exception {
    Require.nonNull("headers", headers);
    Require.nonNull("room", room);
    SagaMove<S, ?> move = definition.move(Require.nonNull("event", event).getClass());
    if (move == null) {
      return SagaOutcome.NOT_CONCERNED;
    }
    if (move.isTimeout()) {
      return timeout(move, event, headers, room);
    }
    SagaId id = new SagaId(name(), key(move, event));
    Optional<SagaRow> found = room.store().find(id);
    if (found.isEmpty() && !move.starts()) {
      return missing(event, id, room);
    }
    return run(move, event, step(id, found.orElse(null), event, room));
  }

  private SagaOutcome timeout(
      SagaMove<S, ?> move, Object event, Map<String, String> headers, SagaRoom room)
      throws Exception {
    TimeoutHeaders timeout = TimeoutHeaders.of(headers);
    if (timeout == null) {
      return SagaOutcome.LATE; // nobody has scheduled it for a saga
    }
    if (!timeout.saga().equals(name())) {
      return SagaOutcome.NOT_CONCERNED;
    }
    SagaId id = new SagaId(name(), timeout.key());
    Optional<SagaRow> found = room.store().find(id);
    if (found.isEmpty()) {
      return SagaOutcome.LATE;
    }
    SagaStep<S> step = step(id, found.get(), event, room);
    return step.takes(timeout.name(), timeout.token()) ? run(move, event, step) : SagaOutcome.LATE;
  }

  private SagaOutcome run(SagaMove<S, ?> move, Object event, SagaStep<S> step) throws Exception {
    move.handle(event, step);
    return step.write();
  }

  private SagaStep<S> step(SagaId id, @Nullable SagaRow row, Object event, SagaRoom room) {
    SagaStep.Parts<S> parts = new SagaStep.Parts<>(definition, reader, events, room);
    return new SagaStep<>(parts, id, row, event.getClass());
  }

  private SagaOutcome missing(Object event, SagaId id, SagaRoom room) throws Exception {
    SagaMissing<Object> handler = definition.missing(event.getClass());
    if (handler == null) {
      return SagaOutcome.MISSING;
    }
    handler.handle(event, new RoomContext(id.key(), room, timeoutClasses()));
    return SagaOutcome.MISSING_HANDLED;
  }

  private String key(SagaMove<S, ?> move, Object event) {
    String key = move.keyOf(event);
    if (key == null || key.isEmpty()) {
      throw unusable(event, "has no key");
    }
    boolean good =
        key.length() <= MessageLimits.KEY_CHARS_MAX
            && MessageLimits.isStorable(key)
            && key.chars().noneMatch(Character::isISOControl);
    if (!good) {
      throw unusable(
          event,
          "has a key that is longer than "
              + MessageLimits.KEY_CHARS_MAX
              + " characters, or has a control character or half a surrogate pair");
    }
    return key;
  }

  private InvalidMessageException unusable(Object event, String what) {
    return new InvalidMessageException(
        ErrorCode.INVALID_MESSAGE,
        "an event of "
            + event.getClass().getName()
            + " "
            + what
            + " for saga \""
            + name()
            + "\"; correct the event, or the function that finds its key");
  }

  /** The headers by which the message of a time-out finds its saga. */
  record TimeoutHeaders(String saga, String key, String name, UUID token) {

    static final String SAGA = "saga";
    static final String KEY = "saga-key";
    static final String NAME = "saga-timeout";
    static final String TOKEN = "saga-token";

    /** Returns those of a message; null where it has none, or somebody has changed them. */
    static @Nullable TimeoutHeaders of(Map<String, String> headers) {
      String saga = headers.get(SAGA);
      String key = headers.get(KEY);
      String name = headers.get(NAME);
      String token = headers.get(TOKEN);
      if (saga == null || key == null || name == null || token == null) {
        return null;
      }
      try {
        return new TimeoutHeaders(saga, key, name, UUID.fromString(token));
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
  }
}
