// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.event.EventHandlers;
import io.outledger.inbox.Received;
import io.outledger.jdbc.EventContext;
import io.outledger.relay.handler.PositionedHandler;
import io.outledger.testing.InMemoryOutbox;
import java.sql.Connection;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands events to typed handlers as a relay does on a database, with a transaction that knows the
 * outbox alone. For the thread of the test.
 */
record InMemoryHandler(
    String subscription,
    EventHandlers<EventContext> handlers,
    InMemoryOutbox outbox,
    Supplier<@Nullable Connection> database)
    implements PositionedHandler {

  @Override
  public void handle(long position, int attempt, Message message) throws Exception {
    if (handlers.match(message.type(), message.version()) != EventHandlers.Match.HANDLED) {
      return;
    }
    InMemoryOutbox transaction = outbox.begin();
    Received received = Received.of(Received.LEDGER + subscription, message);
    handlers
        .read(message)
        .run(
            new Context(
                database,
                transaction,
                received,
                OptionalLong.of(position),
                OptionalInt.of(attempt)));
    outbox.commit(transaction);
  }

  /** The context that a handler is given. */
  private record Context(
      Supplier<@Nullable Connection> database,
      Outbox outbox,
      Received message,
      OptionalLong position,
      OptionalInt attempt)
      implements EventContext {

    @Override
    public Connection connection() {
      Connection connection = database.get();
      if (connection == null) {
        throw new IllegalStateException(
            "there is no database here: give one by InMemoryExtension.connection(…), or test with"
                + " OutledgerExtension");
      }
      return connection;
    }
  }
}
