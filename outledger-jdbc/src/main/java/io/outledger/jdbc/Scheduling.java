// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Name;
import io.outledger.Require;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ScheduledTable;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What all outboxes of an {@link Outledger} have in common for scheduled messages. Thread-safe. */
final class Scheduling {

  private final Appending appending;
  private final ScheduledTable table;
  private final Consumer<Delivery> wakeup;

  /**
   * Creates it.
   *
   * @param wakeup told of each message that was scheduled, once it is committed
   */
  Scheduling(Appending appending, Database database, Consumer<Delivery> wakeup) {
    this.appending = appending;
    this.table = database.scheduled();
    this.wakeup = wakeup;
  }

  /** Turns an event into the message that is scheduled, and checks it. */
  Message message(Object event, Supplier<Connection> connection) {
    return Delivery.onlyOf(
        appending.messages(List.of(Require.nonNull("event", event)), connection));
  }

  /** Schedules a message in the transaction of a connection. */
  void schedule(Connection connection, Message message, Delivery when) {
    boolean isAdded =
        appending.inTransaction(
            connection,
            "schedule message " + message.id(),
            transaction -> {
              boolean added = table.add(transaction, message, when);
              appending.look(transaction);
              return added;
            });
    if (!isAdded) {
      throw new ConfigurationException(
          ErrorCode.NAME_WAITING,
          "cannot schedule message "
              + message.id()
              + ": another message waits under the name \""
              + when.name().orElse("")
              + "\". Cancel that first, or have this one take its place by"
              + " Delivery.replacing(…); nothing was scheduled");
    }
  }

  boolean cancel(Connection connection, UUID id) {
    Require.nonNull("id", id);
    return cancel(connection, id.toString(), transaction -> table.cancel(transaction, id));
  }

  boolean cancel(Connection connection, String name) {
    Name.check("scheduled message", name);
    return cancel(connection, '"' + name + '"', transaction -> table.cancel(transaction, name));
  }

  private boolean cancel(Connection connection, String which, Appending.Work<Integer> work) {
    return appending.inTransaction(connection, "cancel the scheduled message " + which, work) > 0;
  }

  void wake(Delivery when) {
    wakeup.accept(when);
  }
}
