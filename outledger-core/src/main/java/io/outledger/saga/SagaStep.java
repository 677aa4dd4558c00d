// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.ConfigurationException;
import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Name;
import io.outledger.Outbox;
import io.outledger.Require;
import io.outledger.event.Events;
import io.outledger.event.StateFormat;
import io.outledger.event.TypeVersion;
import io.outledger.saga.SagaWork.TimeoutHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One step of a saga: its state, and what a handler does with it. All of it takes effect with the
 * transaction that remembers the message as handled, or not at all. Valid for one call, on its
 * thread.
 *
 * @param <S> the class of the saga's state
 */
public final class SagaStep<S> implements SagaContext {

  private final Parts<S> parts;
  private final SagaContext context;
  private final SagaId id;
  private final @Nullable SagaRow before;
  private final Map<String, SagaTimeout> timeouts = new LinkedHashMap<>();
  private final Undoing<S> undoing;
  private @Nullable S state;
  private @Nullable String waitsFor;
  private boolean isEnded;

  SagaStep(Parts<S> parts, SagaId id, @Nullable SagaRow before, Class<?> message) {
    this.parts = parts;
    this.context = new RoomContext(id.key(), parts.room(), parts.definition().timeoutClasses());
    this.id = id;
    this.before = before;
    if (before != null) {
      state = parts.reader().state(before);
      before.progress().timeouts().forEach(each -> timeouts.put(each.name(), each));
    }
    this.undoing = new Undoing<>(parts.definition(), id, before, message);
  }

  /** What all steps of a transaction share. */
  record Parts<S>(
      SagaDefinition<S> definition, SagaReader<S> reader, Events events, SagaRoom room) {}

  @Override
  public String key() {
    return context.key();
  }

  @Override
  public Outbox outbox() {
    return context.outbox();
  }

  @Override
  public <T> T resource(Class<T> type) {
    return context.resource(type);
  }

  /** Returns whether this message has started the saga. */
  public boolean isNew() {
    return before == null;
  }

  /**
   * Returns the state, as the last {@link #become} has set it.
   *
   * @throws IllegalStateException if the saga is new and has no state yet
   */
  public S state() {
    S now = state;
    if (now == null) {
      throw new IllegalStateException(
          "saga " + id + " has just started and has no state yet: give it one by become(…)");
    }
    return now;
  }

  /** Sets the state. It is written once, when the handler returns. */
  public void become(S value) {
    state = Require.nonNull("become", value);
  }

  /**
   * Says what the saga waits for, for the operators who see it, until another step says it anew. In
   * a compensation it also says that the others must wait for its answer: see {@link
   * #compensate()}.
   *
   * @param what such as {@code the bank's answer}, up to {@value Name#CHARS_MAX} visible characters
   * @throws ConfigurationException {@code OUT-006} if it is not such a text
   */
  public void waitFor(String what) {
    waitsFor = Name.check("what the saga waits for", what);
  }

  /**
   * Ends the saga when the handler returns: its row is removed, and its time-outs are cancelled. A
   * later message of its key finds no saga.
   *
   * @throws ConfigurationException {@code OUT-040} while a compensation runs or waits: {@link
   *     #compensate()} ends the saga when nothing is left
   */
  public void end() {
    undoing.requireNoneIsLeft();
    isEnded = true;
  }

  /**
   * Schedules a time-out. One of the same name that the saga waits for is replaced by it. The event
   * passes the guard, enrichment and mapping of its type, as one that is appended.
   *
   * @param name its name in the saga, such as {@code payment}
   * @param delay how long after this step, by the database's clock; zero or less means now
   * @param event of a class that {@link SagaBuilder#onTimeout} names
   * @throws ConfigurationException {@code OUT-006} if the name is not valid; {@code OUT-040} if no
   *     time-out of the saga has this class, or its mapping makes another type of it; {@code
   *     OUT-051} if the outbox cannot schedule
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if the delay is longer than {@link
   *     Delivery#AFTER_MAX}, or the mapping does not make one message of the event; {@code OUT-024}
   *     if its guard refuses it
   */
  public void timeoutAfter(String name, Duration delay, Object event) {
    schedule(name, event, Delivery.after(delay));
  }

  /**
   * Schedules a time-out for a time; otherwise like {@link #timeoutAfter}.
   *
   * @param due when, by the database's clock; one that has passed means now
   */
  public void timeoutAt(String name, Instant due, Object event) {
    schedule(name, event, Delivery.at(due));
  }

  private void schedule(String name, Object event, Delivery when) {
    Message message = timeout(Name.check("time-out", name), Require.nonNull("event", event));
    cancelTimeout(name);
    parts.room().outbox().append(message, when);
    Instant due = when.due(parts.room().time().now());
    timeouts.put(name, new SagaTimeout(name, message.id(), due));
  }

  private Message timeout(String name, Object event) {
    SagaMove<S, ?> move = parts.definition().move(event.getClass());
    if (move == null || !move.isTimeout()) {
      throw invalid(
          "a step schedules a " + event.getClass().getName() + ", which no onTimeout(…) names");
    }
    Message message =
        Delivery.onlyOf(parts.events().messages(List.of(event), parts.room().resources()));
    boolean comesBack =
        parts.events().types().readAs(message.type(), message.version()).stream()
            .anyMatch(type -> type.eventClass() == event.getClass());
    if (!comesBack) {
      throw invalid(
          "the mapping of "
              + event.getClass().getName()
              + " makes a "
              + message.type()
              + " of it, which does not come back as this time-out; map it to its own type");
    }
    return message
        .copy()
        .header(TimeoutHeaders.SAGA, id.saga())
        .header(TimeoutHeaders.KEY, id.key())
        .header(TimeoutHeaders.NAME, name)
        .header(TimeoutHeaders.TOKEN, message.id().toString())
        .build();
  }

  /**
   * Cancels a time-out. One whose message is on its way already is ignored when it comes.
   *
   * @return whether the saga waited for it
   */
  public boolean cancelTimeout(String name) {
    SagaTimeout waiting = timeouts.remove(Require.nonNull("name", name));
    if (waiting == null) {
      return false;
    }
    outbox().cancel(waiting.token());
    return true;
  }

  /**
   * Notes that something was done for which a compensation exists.
   *
   * @param name the compensation's, as {@link SagaBuilder#compensation} has it
   * @throws ConfigurationException {@code OUT-040} if there is no such compensation, or {@link
   *     #compensate()} has left nothing, so that the saga ends and nothing would undo this
   */
  public void done(String name) {
    undoing.add(Require.nonNull("name", name));
  }

  /**
   * Returns what was done and not compensated for, the oldest first. What a compensation that waits
   * for its answer undoes is a part of it.
   */
  public List<String> done() {
    return undoing.done();
  }

  /** Returns whether the saga has begun to compensate. */
  public boolean isCompensating() {
    return undoing.phase() == SagaPhase.COMPENSATING;
  }

  /**
   * Compensates for what was done, the newest first, and then ends the saga. All compensations run
   * in this transaction: if one fails, none has taken effect, and the message is tried again. The
   * time-outs of the saga are cancelled before each: those of its way forward, and those of a
   * compensation that is over, so that none is taken for the answer of another one.
   *
   * <p>A compensation that has to wait for an answer calls {@link #waitFor}: those of older steps
   * then do not run yet. The handler of its {@linkplain SagaBuilder#compensation answer} calls this
   * method again, and the saga goes on where it was. Called for any other message meanwhile, it
   * does nothing.
   *
   * @return whether nothing is left to compensate for, so that the saga ends
   * @throws ConfigurationException {@code OUT-040} if it is called by a compensation, or again
   *     after one has failed, or if a compensation waits that names no answer
   * @throws Exception what a compensation throws; the step fails, also if the handler catches it
   */
  public boolean compensate() throws Exception {
    isEnded |= undoing.run(this);
    return undoing.isOver();
  }

  /** Returns whether the running compensation waits for an answer. */
  boolean waits() {
    return waitsFor != null;
  }

  /** A compensation begins with no wait and no time-out but its own. */
  void beginCompensation() {
    waitsFor = null;
    cancelTimeouts();
  }

  private void cancelTimeouts() {
    List.copyOf(timeouts.keySet()).forEach(this::cancelTimeout);
  }

  /** Returns whether the saga waits for a time-out, which is not waited for any more then. */
  boolean takes(String name, UUID token) {
    SagaTimeout waiting = timeouts.get(name);
    return waiting != null && waiting.token().equals(token) && timeouts.remove(name, waiting);
  }

  /** Writes what has come of the step. */
  SagaOutcome write() {
    undoing.requireNoneHasFailed();
    if (isEnded) {
      undoing.requireNoneIsLeft();
      cancelTimeouts();
      if (before != null) {
        parts.room().store().delete(id, before.version());
      }
      return SagaOutcome.ENDED;
    }
    S now = state;
    if (now == null) {
      throw invalid("the step that starts it returns without a state; call become(…), or end()");
    }
    StateFormat<S> states = parts.reader().states();
    SagaRow row =
        new SagaRow(
            id,
            before == null ? SagaRow.firstVersion() : before.version() + 1,
            undoing.phase(),
            new SagaRow.Progress(waitText(), List.copyOf(timeouts.values()), undoing.done()),
            new TypeVersion(states.type().name(), states.type().version()),
            states.write(now));
    if (before == null) {
      parts.room().store().insert(row);
      return SagaOutcome.STARTED;
    }
    parts.room().store().update(row);
    return SagaOutcome.MOVED;
  }

  /** A step that says nothing of what the saga waits for, such as of a duplicate, leaves it. */
  private @Nullable String waitText() {
    return waitsFor == null && before != null ? before.progress().waitsFor() : waitsFor;
  }

  private ConfigurationException invalid(String what) {
    return new ConfigurationException(ErrorCode.INVALID_SAGA, "saga " + id + ": " + what);
  }
}
