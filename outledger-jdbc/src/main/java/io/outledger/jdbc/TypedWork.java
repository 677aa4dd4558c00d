// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Outbox;
import io.outledger.event.EventHandlers;
import io.outledger.event.EventHandlers.Match;
import io.outledger.event.Events;
import io.outledger.event.PassedOver;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Database;
import io.outledger.relay.options.Accepts;
import java.sql.Connection;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A reader's work on typed events: which messages concern it, which it passes over, and how its
 * handlers are called. Thread-safe.
 */
final class TypedWork {

  /** The parts of an {@link Outledger} that typed work uses. */
  record Parts(
      Events events,
      JdbcOutbox outbox,
      PassedOver passedOver,
      OpenState openState,
      Database database,
      Supplier<Requester> requester,
      Runnable inBackground,
      NewConsumers newConsumers) {}

  /** The context of a handler. */
  private record Context(
      Connection connection,
      Outbox outbox,
      Received message,
      OptionalLong position,
      OptionalInt attempt)
      implements EventContext {}

  private final String reader;
  private final Parts parts;
  private final Function<Connection, Outbox> outboxes;
  private final EventHandlers<EventContext> handlers;

  /**
   * Makes it.
   *
   * @param reader the name of the handler or consumer, for what is counted
   * @param outboxes what handlers append to, by the connection of their transaction
   * @throws io.outledger.ConfigurationException as {@link EventHandlers#inTransactions} does
   */
  TypedWork(
      String reader,
      Parts parts,
      Function<Connection, Outbox> outboxes,
      Consumer<EventHandlers.Builder<EventContext>> choices) {
    this.reader = reader;
    this.parts = parts;
    this.outboxes = outboxes;
    this.handlers = EventHandlers.inTransactions(parts.events(), choices);
  }

  /** Returns which messages a relay has to hand over: to be handled, or to be counted. */
  Accepts accepts() {
    return Accepts.types(handlers.declaredTypes())
        .testedBy(message -> handlers.match(message.type(), message.version()) != Match.NOT_NAMED);
  }

  /** Returns whether a message that has come from a broker is to be handled. */
  boolean handles(Received message) {
    return handlers.match(message.type(), message.version()) == Match.HANDLED;
  }

  private boolean knows(Received message) {
    return !parts.events().types().readAs(message.type(), message.version()).isEmpty();
  }

  /** Returns which messages of a broker are to be handled, and counts the others. */
  Concern concern() {
    return new Concern(accepts().declaredOf(""), this::handles, this::knows, this::count);
  }

  /** Counts a message that is not handled, where its type is not registered. */
  void count(Received message) {
    if (handlers.match(message.type(), message.version()) == Match.UNREGISTERED) {
      parts.passedOver().count(reader, message.type(), message.version());
    }
  }

  /** Handles a received message in the transaction of its inbox row. */
  void handle(Connection connection, Received message) throws Exception {
    handle(connection, message, OptionalInt.empty());
  }

  /** Handles a received message, and tells which attempt it is. */
  void handle(Connection connection, Received message, int attempt) throws Exception {
    handle(connection, message, OptionalInt.of(attempt));
  }

  private void handle(Connection connection, Received message, OptionalInt attempt)
      throws Exception {
    read(message)
        .run(
            new Context(
                connection, outboxes.apply(connection), message, OptionalLong.empty(), attempt));
  }

  /**
   * Reads a message, before there is a transaction.
   *
   * @throws io.outledger.InvalidMessageException if that is not possible
   */
  EventHandlers.Call<EventContext> read(Received message) {
    return handlers.read(message);
  }

  /** Returns the context of the handler of a ledger's message. */
  EventContext context(Connection connection, Received message, long position, int attempt) {
    return new Context(
        connection,
        outboxes.apply(connection),
        message,
        OptionalLong.of(position),
        OptionalInt.of(attempt));
  }
}
