// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.event.Events;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.RedactedSqlException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The appending common to all outboxes of an {@link Outledger}, for as long as it is open.
 * Thread-safe.
 */
final class Appending {

  private final Events events;
  private final Database database;
  private final Life life;

  Appending(Events events, Database database, Life life) {
    this.events = events;
    this.database = database;
    this.life = life;
  }

  /**
   * Turns events into messages, and checks all.
   *
   * @param connection has the connection of the transaction, asked where an event's guard,
   *     enrichment or mapping wants it
   */
  List<Message> messages(Collection<?> eventsOrMessages, Supplier<Connection> connection) {
    life.require("append");
    Given.check("eventsOrMessages", eventsOrMessages);
    return events.messages(
        eventsOrMessages, type -> type == Connection.class ? connection.get() : null);
  }

  // A loop, as each append comes here, and a stream takes longer than the work in it.
  static List<UUID> ids(List<Message> messages) {
    List<UUID> ids = new ArrayList<>(messages.size());
    for (Message each : messages) {
      ids.add(each.id());
    }
    return Collections.unmodifiableList(ids);
  }

  void append(Connection connection, List<Message> messages) {
    String doing = "append " + Printable.count(messages.size(), "message");
    try {
      OpenTransaction.require(connection, doing);
      if (!messages.isEmpty()) {
        database.appender().append(connection, messages);
      }
    } catch (SQLException e) {
      throw isOfReadOnlyMode(connection, e)
          ? new StoreException(
              ErrorCode.NO_TRANSACTION,
              "cannot "
                  + doing
                  + ": the connection is in read-only mode; append in a transaction that may write",
              RedactedSqlException.of(e))
          : WriteFailure.of(database.errors(), e, doing);
    }
  }

  /** Returns whether the caller, or its framework, has asked for a transaction that reads only. */
  private boolean isOfReadOnlyMode(Connection connection, SQLException failure) {
    try {
      return database.errors().classOf(failure) == ErrorClass.READ_ONLY && connection.isReadOnly();
    } catch (SQLException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  void lock(Connection connection, List<String> keys) {
    life.require("lock keys");
    String doing = "lock " + Printable.count(keys.size(), "key");
    try {
      OpenTransaction.require(connection, doing);
      if (!keys.isEmpty()) {
        database.keyLocks().lock(connection, keys);
      }
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, doing);
    }
  }
}
