// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Outbox;
import io.outledger.Require;
import io.outledger.event.EventHandlers;
import io.outledger.event.Events;
import io.outledger.event.TypeVersion;
import io.outledger.inbox.BatchHandler;
import io.outledger.jdbc.spi.Database;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaOutcome;
import io.outledger.saga.SagaRoom;
import io.outledger.saga.SagaWork;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sagas of an {@link Outledger}. A saga's messages are those of a typed handler that has the
 * saga's name: {@link RelayBuilder#saga} adds it to a relay, and {@link #receiver} makes one for
 * messages of a broker. Each message takes effect once, in a transaction with its inbox record, the
 * saga's row, and all that the step appends. Thread-safe.
 */
public final class Sagas {

  private final Events events;
  private final Database database;
  private final TimeSource time;
  private final Function<String, JdbcInbox> inboxes;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> passedOver = new ConcurrentHashMap<>();
  private final TimeoutDoor door;

  Sagas(Events events, Database database, TimeSource time, Function<String, JdbcInbox> inboxes) {
    this.events = events;
    this.database = database;
    this.time = time;
    this.inboxes = inboxes;
    this.door = new TimeoutDoor(database);
  }

  /** A saga, and what was made of it. */
  private record Known(Saga<?> saga, SagaWork<?> work) {}

  /**
   * Returns what handles the messages of a saga that come from a broker, for a receiver: a consumer
   * that has the saga's name. Its time-outs come by the ledger alone, so a relay with the saga, or
   * with its {@linkplain #timeoutHandlers time-outs}, has to run, here or elsewhere; one that the
   * broker brings as well has no effect.
   *
   * @throws ConfigurationException as {@link RelayBuilder#saga} does
   */
  public BatchHandler receiver(Saga<?> saga) {
    String name = name(saga);
    return inboxes.apply(name).handler(receiverHandlers(saga));
  }

  /**
   * Returns what handles the messages of a saga that come from a broker, in transactions that a
   * framework runs; otherwise like {@link #receiver(Saga)}.
   *
   * @param framework makes each transaction, not begun yet
   * @param outbox what steps append to, in the framework's transaction
   * @throws ConfigurationException as {@link RelayBuilder#saga} does
   */
  public BatchHandler receiver(
      Saga<?> saga, Supplier<FrameworkTransaction> framework, Outbox outbox) {
    Require.nonNull("framework", framework);
    Require.nonNull("outbox", outbox);
    String name = name(saga);
    return inboxes.apply(name).handler(framework, outbox, receiverHandlers(saga));
  }

  /**
   * Returns the handlers of a saga's events, to be given to whatever takes typed handlers with a
   * transaction. Give that the saga's name: {@link Admin#sagas()} looks there for what is parked.
   * Handlers without a transaction refuse them with {@code OUT-040} when they are made: the saga's
   * row, what a step appends and the record that its message was handled would not be one.
   *
   * @throws ConfigurationException as {@link RelayBuilder#saga} does
   */
  public Consumer<EventHandlers.Builder<EventContext>> handlers(Saga<?> saga) {
    SagaWork<?> work = work(saga);
    return handlers -> add(handlers, work.eventClasses(), work);
  }

  /**
   * Returns the handlers of a saga's events that come from a broker, to be given to an inbox of the
   * saga's name where {@link #receiver} does not fit. A time-out has no effect there, because a
   * relay hands it over; otherwise like {@link #handlers}.
   *
   * @throws ConfigurationException as {@link RelayBuilder#saga} does
   */
  public Consumer<EventHandlers.Builder<EventContext>> receiverHandlers(Saga<?> saga) {
    SagaWork<?> work = work(saga);
    return handlers -> {
      requireTransactions(handlers, work);
      for (Class<?> each : work.eventClasses()) {
        if (work.timeoutClasses().contains(each)) {
          // Named all the same: else it would be kept for an instance that has declared it.
          handlers.on(each, (event, context) -> {});
        } else {
          handlers.on(each, (event, context) -> received(work, event, context));
        }
      }
    };
  }

  private void received(SagaWork<?> work, Object event, EventContext context) throws Exception {
    if (!work.timeoutClasses().isEmpty()) {
      door.look(work.name(), context.connection());
    }
    handle(work, event, context);
  }

  /**
   * Returns the handlers of a saga's time-outs alone, for a relay beside a receiver that takes all
   * other messages of the saga; otherwise like {@link #handlers}. Where the saga has none, neither
   * have they.
   *
   * @throws ConfigurationException as {@link RelayBuilder#saga} does
   */
  public Consumer<EventHandlers.Builder<EventContext>> timeoutHandlers(Saga<?> saga) {
    SagaWork<?> work = work(saga);
    return handlers -> add(handlers, work.timeoutClasses(), work);
  }

  /**
   * Returns whether a saga has time-outs.
   *
   * @throws ConfigurationException as {@link RelayBuilder#saga} does
   */
  public boolean hasTimeouts(Saga<?> saga) {
    return !work(saga).timeoutClasses().isEmpty();
  }

  /**
   * Returns the name of a saga, which its handler and consumer have, too.
   *
   * @throws ConfigurationException as {@link RelayBuilder#saga} does
   */
  public String name(Saga<?> saga) {
    return work(saga).name();
  }

  private SagaWork<?> work(Saga<?> saga) {
    Require.nonNull("saga", saga);
    for (Known each : known.values()) {
      if (each.saga() == saga) {
        return each.work();
      }
    }
    SagaWork<?> work = SagaWork.of(saga, events);
    Known first = known.computeIfAbsent(work.name(), name -> new Known(saga, work));
    if (first.saga() != saga) {
      throw new ConfigurationException(
          ErrorCode.INVALID_SAGA,
          "two sagas have the name \""
              + work.name()
              + "\", "
              + first.saga().getClass().getName()
              + " and "
              + saga.getClass().getName()
              + ": they would take each other's rows. Give each its own name; where it is one saga,"
              + " pass the same object");
    }
    return first.work();
  }

  private void add(
      EventHandlers.Builder<EventContext> handlers, Set<Class<?>> eventClasses, SagaWork<?> work) {
    requireTransactions(handlers, work);
    for (Class<?> each : eventClasses) {
      handlers.on(each, (event, context) -> handle(work, event, context));
    }
  }

  private static void requireTransactions(
      EventHandlers.Builder<EventContext> handlers, SagaWork<?> work) {
    if (!handlers.isInTransactions()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_SAGA,
          "the saga \""
              + work.name()
              + "\" is given to handlers without a transaction: its row, what a step appends and"
              + " the record that the message was handled must be one. Give it to a relay by"
              + " saga(…), to a receiver by sagas().receiver(…), or make the handlers by"
              + " EventHandlers.inTransactions(…) where that is what they run in");
    }
  }

  private void handle(SagaWork<?> work, Object event, EventContext context) throws Exception {
    SagaOutcome outcome = work.handle(event, context.headers(), room(context));
    switch (outcome) {
      case MISSING -> count(work, context, " without its saga");
      case LATE -> count(work, context, " too late");
      case STARTED, MOVED, ENDED, MISSING_HANDLED, NOT_CONCERNED -> {}
    }
  }

  private SagaRoom room(EventContext context) {
    return new SagaRoom(
        new SagaRows(database, context.connection()),
        context.outbox(),
        type -> resource(type, context),
        time);
  }

  private static @Nullable Object resource(Class<?> type, EventContext context) {
    if (type == Connection.class) {
      return context.connection();
    }
    return type == EventContext.class ? context : null;
  }

  private void count(SagaWork<?> work, EventContext context, String how) {
    TypeVersion type = new TypeVersion(context.message().type(), context.message().version());
    String name = work.name() + ": " + type + how;
    CommittedWork.then(() -> passedOver.computeIfAbsent(name, n -> new LongAdder()).increment());
  }

  /**
   * Returns how many messages had no effect since the start, each counted once, with the commit of
   * its transaction: their saga has ended or has not started, or they are time-outs that it did not
   * wait for any more. The key is saga, type and which of the two, such as {@code renewal:
   * payment.taken v1 without its saga} and {@code renewal: payment.missing v1 too late}.
   */
  public Map<String, Long> passedOver() {
    Map<String, Long> counts = new TreeMap<>();
    passedOver.forEach((name, count) -> counts.put(name, count.sum()));
    return counts;
  }
}
