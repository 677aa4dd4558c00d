// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.AppendListener;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.event.Events;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.RedactedSqlException;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The appending common to all outboxes of an {@link Outledger}, for as long as it is open.
 * Thread-safe.
 */
final class Appending {

  private static final Logger LOG = LoggerFactory.getLogger(Appending.class);

  private final Events events;
  private final Database database;
  private final OpenState openState;
  private final AppendTargets targets;
  private final AppendWatch watch;

  Appending(
      Events events,
      Database database,
      OpenState openState,
      AppendTargets targets,
      AppendWatch watch) {
    this.events = events;
    this.database = database;
    this.openState = openState;
    this.targets = targets;
    this.watch = watch;
  }

  /** The listener that learns how long appends take, and the clock that measures them. */
  record AppendWatch(AppendListener listener, TimeSource time) {

    void appended(int messages, long from) {
      try {
        listener.appended(messages, Duration.ofNanos(time.nanoTime() - from));
      } catch (RuntimeException e) { // of user code, and no reason to roll back
        LOG.error("an append listener threw an exception", Printable.trace(e));
      }
    }
  }

  /**
   * Turns events into messages, and checks all.
   *
   * @param connection has the connection of the transaction, asked where an event's guard,
   *     enrichment or mapping wants it
   */
  List<Message> messages(Collection<?> eventsOrMessages, Supplier<Connection> connection) {
    openState.require("append");
    Require.nonNull("eventsOrMessages", eventsOrMessages);
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
        long from = watch.time().nanoTime();
        database.appender().append(connection, messages);
        watch.appended(messages.size(), from);
        look(connection);
      }
    } catch (SQLException e) {
      throw refused(connection, doing, e);
    }
  }

  /** Says so where something was written to a database whose ledger nobody reads. */
  void look(Connection connection) throws SQLException {
    targets.look(connection, database.appender());
  }

  /**
   * Work on tables beside the ledger, in the caller's transaction.
   *
   * @param <T> its result
   */
  interface Work<T> {
    T on(Connection transaction) throws SQLException;
  }

  /** Does it, in the transaction that is open on a connection. */
  <T> T inTransaction(Connection connection, String doing, Work<T> work) {
    openState.require("schedule or cancel messages");
    try {
      OpenTransaction.require(connection, doing);
      return work.on(connection);
    } catch (SQLException e) {
      throw database.errors().classOf(e) == ErrorClass.DUPLICATE_KEY
          ? WriteFailure.of(database.errors(), e, doing)
          : refused(connection, doing, e);
    }
  }

  private OutledgerException refused(Connection connection, String doing, SQLException failure) {
    if (isOfReadOnlyMode(connection, failure)) {
      return new StoreException(
          ErrorCode.NO_TRANSACTION,
          "cannot "
              + doing
              + ": the connection is in read-only mode; do it in a transaction that may write",
          RedactedSqlException.of(failure));
    }
    if (isOfAnotherProduct(connection, failure)) {
      return new StoreException(
          ErrorCode.STORE_FAILED,
          "could not "
              + doing
              + ": the connection leads to another database product than the Outledger was built"
              + " on, "
              + targets.home()
              + "; pass a connection of that database: "
              + RedactedSqlException.firstLine(failure),
          RedactedSqlException.of(failure));
    }
    // The ledger has one unique column: the position, which its own sequence draws.
    if (database.errors().classOf(failure) == ErrorClass.DUPLICATE_KEY) {
      return new StoreException(
          ErrorCode.LEDGER_BEHIND_CURSOR,
          "could not "
              + doing
              + ": the sequence of outledger_message is behind the table, so it draws positions"
              + " that are taken, as after a logical replication or a restore that left the"
              + " sequence out. Roll back, and set it: "
              + database.appender().renumbering(),
          RedactedSqlException.of(failure));
    }
    return WriteFailure.of(database.errors(), failure, doing);
  }

  private boolean isOfAnotherProduct(Connection connection, SQLException failure) {
    try {
      return targets.isOtherProduct(connection);
    } catch (SQLException e) { // a connection that is lost
      failure.addSuppressed(e);
      return false;
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
    openState.require("lock keys");
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
