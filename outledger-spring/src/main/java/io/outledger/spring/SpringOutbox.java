// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.Name;
import io.outledger.Outbox;
import io.outledger.Require;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * The outbox of a Spring application. It joins the transaction that is running on the thread,
 * whoever works in it: JDBC, JPA, jOOQ or {@code JdbcClient}.
 *
 * <p>{@link #append} checks events, turns them into messages and keeps them in memory. All messages
 * of a transaction are written in one statement just before its commit, in the order in which they
 * were appended; events of JPA entities, which come at the commit, are at the place at which they
 * were raised. A failure of that statement rolls the transaction back and reaches the caller. A
 * roll-back to a savepoint drops what was appended after it. Relays of this process are woken after
 * the commit.
 *
 * <p>Thread-safe: make one for each {@link Outledger}, and share it.
 */
public final class SpringOutbox implements Outbox {

  private final Outledger outledger;
  private final SpringTransactions transactions;
  private final UnaryOperator<Message> lastTouch;
  private final EventRouting routing;
  private final Outbox appending;

  /**
   * Creates it.
   *
   * @param outledger what it appends to
   * @param transactions the transactions of that {@link Outledger}'s data source
   * @throws io.outledger.ConfigurationException {@code OUT-021} if they are of another data source
   */
  public SpringOutbox(Outledger outledger, SpringTransactions transactions) {
    this(outledger, transactions, UnaryOperator.identity());
  }

  /**
   * Creates one that changes each message when it is appended, such as by adding headers with the
   * trace that is running on the thread.
   *
   * @param outledger what it appends to
   * @param transactions the transactions of that {@link Outledger}'s data source
   * @param lastTouch called for each message, on the thread that appends; what it throws reaches
   *     the caller, and nothing is appended
   * @throws io.outledger.ConfigurationException {@code OUT-021} if they are of another data source
   */
  public SpringOutbox(
      Outledger outledger, SpringTransactions transactions, UnaryOperator<Message> lastTouch) {
    this(outledger, transactions, lastTouch, EventRouting.AS_REGISTERED);
  }

  /**
   * Creates one that asks where events go, in place of what their types were registered with.
   *
   * @param outledger what it appends to
   * @param transactions the transactions of that {@link Outledger}'s data source
   * @param lastTouch called for each message, on the thread that appends; what it throws reaches
   *     the caller, and nothing is appended
   * @param routing asked for everything that is appended
   * @throws io.outledger.ConfigurationException {@code OUT-021} if they are of another data source
   */
  public SpringOutbox(
      Outledger outledger,
      SpringTransactions transactions,
      UnaryOperator<Message> lastTouch,
      EventRouting routing) {
    this.lastTouch = Require.nonNull("lastTouch", lastTouch);
    this.routing = Require.nonNull("routing", routing);
    this.outledger = Require.nonNull("outledger", outledger);
    this.transactions = Require.nonNull("transactions", transactions);
    transactions.requireOf(outledger);
    this.appending = outledger.outbox().boundTo(transactions);
  }

  /**
   * Appends events and messages to the running transaction. One that the transaction has taken by
   * {@link #appendOnce(Object)} is appended already: the ids are those of its messages. What is
   * appended by this method twice is two messages.
   *
   * @param eventsOrMessages events of registered classes, and {@link Message}s; may be empty
   * @return the ids of the messages, in order
   * @throws io.outledger.InvalidMessageException {@code OUT-011} to {@code OUT-015} where one
   *     cannot be appended; nothing was appended
   * @throws io.outledger.StoreException {@code OUT-001} where no transaction is running, where the
   *     one that is running is read-only or belongs to another data source, or where it is being
   *     committed already
   */
  @Override
  public List<UUID> append(Collection<?> eventsOrMessages) {
    Appends appends = transactions.running("append");
    Require.nonNull("eventsOrMessages", eventsOrMessages);
    List<UUID> ids = new ArrayList<>(eventsOrMessages.size());
    List<Message> messages =
        appends.taken().containUnclaimed(outledger, eventsOrMessages)
            ? messagesOfThoseNotTaken(appends.taken(), eventsOrMessages, ids)
            : messages(eventsOrMessages, ids);
    transactions.appending();
    appends.add(appending, messages);
    appends.taken().addByHand(outledger, eventsOrMessages);
    return Collections.unmodifiableList(ids);
  }

  /** Adds the ids of all, also of those that were taken already. */
  private List<Message> messagesOfThoseNotTaken(
      TakenEvents taken, Collection<?> eventsOrMessages, List<UUID> ids) {
    Set<Object> claimed = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Message> messages = new ArrayList<>(eventsOrMessages.size());
    for (Object each : eventsOrMessages) {
      List<UUID> its = claimed.add(each) ? taken.unclaimed(outledger, each) : List.of();
      if (its.isEmpty()) {
        messages.addAll(messages(Collections.singletonList(each), ids));
      } else {
        ids.addAll(its);
      }
    }
    return messages;
  }

  /**
   * Schedules one event or message in the running transaction. It is written at once, and waits
   * beside the ledger until it is due. An event that is published or found in an entity afterwards
   * is scheduled already, and not appended as well, also if it has been cancelled meanwhile; one
   * that was before is two messages.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-011} to {@code OUT-015} where it cannot
   *     be appended; nothing was scheduled
   * @throws io.outledger.OutledgerException {@code OUT-001} as {@link #append(Collection)} does;
   *     {@code OUT-050} where another message waits under the name
   */
  @Override
  public UUID append(Object event, Delivery when) {
    Require.nonNull("event", event);
    Require.nonNull("when", when);
    Appends appends = transactions.running("schedule a message");
    UUID id = appending.append(Delivery.onlyOf(messages(List.of(event), new ArrayList<>())), when);
    appends.taken().addByHand(outledger, List.of(event));
    return id;
  }

  @Override
  public boolean cancel(UUID id) {
    Require.nonNull("id", id);
    transactions.running("cancel a scheduled message");
    return appending.cancel(id);
  }

  @Override
  public boolean cancel(String name) {
    Name.check("scheduled message", name);
    transactions.running("cancel a scheduled message");
    return appending.cancel(name);
  }

  // A loop, as each append comes here, and a stream takes longer than the work in it.
  private List<Message> messages(Collection<?> eventsOrMessages, List<UUID> ids) {
    List<Message> routed = routing.route(eventsOrMessages, this::registered);
    List<Message> messages = new ArrayList<>(routed.size());
    for (Message each : routed) {
      Message touched = lastTouch.apply(each);
      messages.add(touched);
      ids.add(touched.id());
    }
    return messages;
  }

  private List<Message> registered(Collection<?> eventsOrMessages) {
    return outledger
        .events()
        .messages(
            eventsOrMessages, type -> type == Connection.class ? transactions.connection() : null);
  }

  /** Returns whether an event's class is registered. */
  boolean knows(Object event) {
    return outledger.events().types().isRegistered(event.getClass());
  }

  /** Returns whether a transaction is running that this outbox writes in. */
  boolean isInTransaction() {
    return transactions.isRunning();
  }

  /** Returns whether a connection is that of the transaction which this outbox writes in. */
  @SuppressWarnings("ReferenceEquality") // two connections are two transactions
  boolean writesOver(Connection connection) {
    return transactions.isRunning() && connection == transactions.connection();
  }

  /** Returns whether an entity manager, as it is bound to the thread, is in its transaction. */
  boolean isJoinedBy(Object entityManager) {
    return transactions.isJoinedBy(entityManager);
  }

  /** Returns whether this outbox asks a routing where events go. */
  public boolean isRoutedBy(EventRouting other) {
    return routing == other;
  }

  /**
   * Appends an event unless this transaction has appended the very same instance before, by
   * whichever method. For what brings events by several ways: an aggregate's event may be published
   * by Spring Data and found in the persistence context, and the application may append it, too.
   *
   * <p>An event that cannot be appended also makes the commit fail, as who brings it may not be who
   * has raised it, and the exception may be swallowed in between.
   *
   * @throws io.outledger.OutledgerException as {@link #append(Collection)} does
   */
  public void appendOnce(Object event) {
    once(
        event,
        (appends, messages) -> {
          transactions.appending();
          appends.add(appending, messages);
        });
  }

  /**
   * Appends an event that was raised earlier, at its place; else as {@link #appendOnce(Object)}.
   * What is appended while the transaction is being committed already, after the other messages
   * were written, comes last.
   *
   * @param order a number of {@link io.outledger.jdbc.AppendOrder}, drawn when it was raised
   * @throws io.outledger.OutledgerException as {@link #append(Collection)} does
   */
  public void appendOnce(Object event, long order) {
    once(event, (appends, messages) -> appends.add(appending, messages, order));
  }

  private void once(Object event, BiConsumer<Appends, List<Message>> add) {
    Appends appends = transactions.running("append");
    if (appends.taken().contain(outledger, Require.nonNull("event", event))) {
      return;
    }
    List<UUID> ids = new ArrayList<>();
    try {
      add.accept(appends, messages(List.of(event), ids));
    } catch (RuntimeException e) {
      appends.failed(e);
      throw e;
    }
    appends.taken().add(outledger, event, ids);
  }
}
