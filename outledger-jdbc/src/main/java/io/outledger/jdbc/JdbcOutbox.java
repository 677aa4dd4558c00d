// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.Require;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * The write side: appends messages to the ledger within the application's own transaction. The
 * messages become visible if that transaction commits and disappear if it rolls back; the outbox
 * itself neither commits nor rolls back.
 *
 * <p>Application code that should not know about connections uses an {@link Outbox}: {@link #on}
 * binds one to a connection, {@link #boundTo} to the current transaction.
 *
 * <p>One call takes one statement and one round trip, and assigns positions in the order given. All
 * messages are checked first: if one is refused, nothing is written. Append after you have locked
 * or changed the aggregate, so that its messages are published in order.
 *
 * <p>Thread-safe; a connection is used by one thread at a time.
 */
public final class JdbcOutbox {

  private final Appending appending;
  private final Scheduling scheduling;
  private final JdbcTransactions transactions;
  private final Runnable wakeup;

  JdbcOutbox(
      Appending appending, Scheduling scheduling, JdbcTransactions transactions, Runnable wakeup) {
    this.appending = appending;
    this.scheduling = scheduling;
    this.transactions = transactions;
    this.wakeup = wakeup;
  }

  /**
   * Appends to the transaction that is open on a connection. If {@link JdbcTransactions} runs the
   * transaction, the commit wakes the relays of this process; otherwise they find the messages at
   * their next poll.
   *
   * @param connection the connection of the caller's transaction; the wrapper of a pool is fine
   * @param eventsOrMessages events of registered classes, and {@link Message}s; may be empty
   * @return the ids of the messages, in order; with an id you can look up whether a commit of
   *     unknown outcome took effect
   * @throws io.outledger.InvalidMessageException {@code OUT-011} to {@code OUT-015} if one cannot
   *     be appended; nothing was written
   * @throws io.outledger.StoreException {@code OUT-026} if the {@link Outledger} was closed; {@code
   *     OUT-001} if no transaction is open, that is, the connection is in auto-commit mode, or if
   *     it is in read-only mode, and nothing was written; {@code OUT-016} or {@code OUT-027} if the
   *     database failed: roll back
   * @throws io.outledger.ConfigurationException {@code OUT-002} if the server or the transaction is
   *     read-only, {@code OUT-003} if the schema is missing: roll back
   */
  public List<UUID> append(Connection connection, Object... eventsOrMessages) {
    Require.nonNull("eventsOrMessages", eventsOrMessages);
    return append(connection, Arrays.asList(eventsOrMessages));
  }

  /** Appends a collection; see {@link #append(Connection, Object...)}. */
  public List<UUID> append(Connection connection, Collection<?> eventsOrMessages) {
    Require.nonNull("connection", connection);
    List<Message> messages = appending.messages(eventsOrMessages, () -> connection);
    appending.append(connection, messages);
    if (!messages.isEmpty() && transactions.runsOn(connection)) {
      transactions.afterCommit(wakeup);
    }
    return Appending.ids(messages);
  }

  /**
   * Schedules one event or message in the transaction that is open on a connection: it enters the
   * ledger when it is due, moved by a process that runs a relay or a receiver. One statement, or up
   * to three where it replaces another.
   *
   * @param connection the connection of the caller's transaction; the wrapper of a pool is fine
   * @param event an event of a registered class, a {@link Message} or its builder
   * @param when when it is due, and under which name
   * @return the id of the message, by which it can be cancelled
   * @throws io.outledger.OutledgerException {@code OUT-050} if another message waits under the
   *     name, and nothing was written; otherwise as {@link #append(Connection, Object...)} does
   */
  public UUID append(Connection connection, Object event, Delivery when) {
    Require.nonNull("connection", connection);
    Require.nonNull("when", when);
    Message message = scheduling.message(event, () -> connection);
    scheduling.schedule(connection, message, when);
    if (transactions.runsOn(connection)) {
      transactions.afterCommit(() -> scheduling.wake(when));
    }
    return message.id();
  }

  /**
   * Cancels a scheduled message, in the transaction that is open on a connection. Where a mover is
   * just moving it, this waits for that, a moment.
   *
   * @param connection the connection of the caller's transaction; the wrapper of a pool is fine
   * @param id the id of the message
   * @return true if it will never be delivered once this transaction has committed; false if it
   *     does not wait
   * @throws io.outledger.OutledgerException as {@link #append(Connection, Object...)} does
   */
  public boolean cancel(Connection connection, UUID id) {
    return scheduling.cancel(Require.nonNull("connection", connection), id);
  }

  /**
   * Cancels the scheduled message that waits under a name; see {@link #cancel(Connection, UUID)}.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} if it is not a valid name
   */
  public boolean cancel(Connection connection, String name) {
    return scheduling.cancel(Require.nonNull("connection", connection), name);
  }

  /**
   * Takes the lock of each key, waiting for other transactions that have it, and keeps it until the
   * transaction ends. The order of a key's messages follows from transactions that wait for one
   * another, usually on the row of the aggregate; where they share no row, because they change only
   * the aggregate's children, have each of them lock the key before it reads or changes anything.
   *
   * <p>The keys of one call are taken in the same order by every caller; a transaction that calls
   * more than once may meet another in a deadlock, which the database ends. Different keys may
   * share a lock.
   *
   * @param connection the connection of the caller's transaction; the wrapper of a pool is fine
   * @param keys ordering keys, usually the aggregates' ids; may be empty
   * @throws io.outledger.StoreException {@code OUT-026} if the {@link Outledger} was closed, {@code
   *     OUT-001} if no transaction is open, {@code OUT-016} or {@code OUT-027} if the database
   *     failed or gave up waiting: roll back
   */
  public void lockKeys(Connection connection, String... keys) {
    Require.nonNull("connection", connection);
    for (String key : Require.nonNull("keys", keys)) {
      Require.nonNull("key", key);
    }
    appending.lock(connection, List.of(keys));
  }

  /**
   * Appends in a transaction of its own, for code that has none. It takes a connection of the
   * application's data source, even inside another transaction, and returns when it is committed.
   *
   * @param eventsOrMessages events of registered classes, and {@link Message}s
   * @return the ids of the messages, in order
   * @throws io.outledger.OutledgerException as {@link #append(Connection, Object...)} does, and
   *     {@code OUT-016} if the outcome of the commit is unknown; nothing is tried again
   */
  public List<UUID> inNewTransaction(Object... eventsOrMessages) {
    return inNewTransaction(Arrays.asList(Require.nonNull("eventsOrMessages", eventsOrMessages)));
  }

  /** Appends a collection; see {@link #inNewTransaction(Object...)}. */
  public List<UUID> inNewTransaction(Collection<?> eventsOrMessages) {
    Collection<?> given = Require.nonNull("eventsOrMessages", eventsOrMessages);
    if (given.isEmpty()) {
      return List.of();
    }
    List<Message> messages =
        transactions.callNew(
            connection -> {
              List<Message> made = appending.messages(given, () -> connection);
              appending.append(connection, made);
              return made;
            });
    if (!messages.isEmpty()) {
      wakeup.run();
    }
    return Appending.ids(messages);
  }

  /**
   * Schedules one event or message in a transaction of its own, for code that has none; see {@link
   * #append(Connection, Object, Delivery)}.
   *
   * @throws io.outledger.OutledgerException as that does, and {@code OUT-016} if the outcome of the
   *     commit is unknown; nothing is tried again
   */
  public UUID inNewTransaction(Object event, Delivery when) {
    Require.nonNull("event", event);
    Require.nonNull("when", when);
    UUID id =
        transactions.callNew(
            connection -> {
              Message message = scheduling.message(event, () -> connection);
              scheduling.schedule(connection, message, when);
              return message.id();
            });
    scheduling.wake(when);
    return id;
  }

  /**
   * Returns an outbox that appends to the transaction that is open on a connection, as {@link
   * #append(Connection, Object...)} does. Used by one thread at a time, as the connection is; not
   * to be kept beyond the transaction.
   *
   * @param connection the connection of the caller's transaction; the wrapper of a pool is fine
   */
  public Outbox on(Connection connection) {
    Require.nonNull("connection", connection);
    return new ConnectionOutbox(connection);
  }

  private final class ConnectionOutbox implements Outbox {

    private final Connection connection;

    ConnectionOutbox(Connection connection) {
      this.connection = connection;
    }

    @Override
    public List<UUID> append(Collection<?> eventsOrMessages) {
      return JdbcOutbox.this.append(connection, eventsOrMessages);
    }

    @Override
    public UUID append(Object event, Delivery when) {
      return JdbcOutbox.this.append(connection, event, when);
    }

    @Override
    public boolean cancel(UUID id) {
      return JdbcOutbox.this.cancel(connection, id);
    }

    @Override
    public boolean cancel(String name) {
      return JdbcOutbox.this.cancel(connection, name);
    }
  }

  /**
   * Returns an outbox that appends to whatever transaction is running, and wakes this process's
   * relays when it has committed. Thread-safe: make one, and share it. It fails with {@code
   * OUT-001} if no transaction is running.
   *
   * @param manager says which transaction is running
   */
  public Outbox boundTo(Transactions manager) {
    return new BoundOutbox(appending, scheduling, Require.nonNull("manager", manager), wakeup);
  }
}
