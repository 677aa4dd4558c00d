// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Appends events and messages to the ledger within a transaction. The messages become visible if
 * that transaction commits and disappear if it rolls back; the outbox itself neither commits nor
 * rolls back.
 *
 * <p>A class that depends on this interface can be tested without a database:
 *
 * <pre>{@code
 * final class OrderService {
 *   OrderService(OrderRepository orders, Outbox outbox) { … }
 * }
 * }</pre>
 *
 * <p>{@code JdbcOutbox} of outledger-jdbc creates outboxes for a connection or a transaction
 * manager; {@code InMemoryOutbox} of outledger-testing keeps appended messages so that a test can
 * inspect them. Thread-safety depends on the transaction: each implementation documents it.
 *
 * <p>Outledger's outboxes also schedule messages and cancel them; an outbox that you write, as by a
 * lambda, refuses it with {@code OUT-051} until it implements these methods, too.
 */
@FunctionalInterface
public interface Outbox {

  /**
   * Appends events and messages, in the order given: all of them, or none if one is refused.
   *
   * @param eventsOrMessages events of registered classes, {@link Message}s, and their {@linkplain
   *     Message#to builders}, which get the outbox's id and time; may be empty
   * @return the ids of the messages, in order
   * @throws InvalidMessageException {@code OUT-011} to {@code OUT-015} if one cannot be appended;
   *     nothing is written
   * @throws OutledgerException if the store refuses the statement or fails; roll the transaction
   *     back
   */
  default List<UUID> append(Object... eventsOrMessages) {
    return append(Arrays.asList(Require.nonNull("eventsOrMessages", eventsOrMessages)));
  }

  /**
   * Appends a collection; see {@link #append(Object...)}.
   *
   * @param eventsOrMessages events of registered classes, {@link Message}s, and their {@linkplain
   *     Message#to builders}, which get the outbox's id and time; may be empty
   * @return the ids of the messages, in order
   */
  List<UUID> append(Collection<?> eventsOrMessages);

  /**
   * Schedules one event or message: it enters the ledger when it is due, and never if this
   * transaction rolls back or it is cancelled before. It is checked and serialised now. When it
   * enters, it has the id that is returned, and the time of that moment.
   *
   * @param event an event of a registered class, a {@link Message} or its {@linkplain Message#to
   *     builder}
   * @param when when it is due, and under which name
   * @return the id of the message, by which it can be cancelled
   * @throws InvalidMessageException {@code OUT-011} to {@code OUT-015} if it cannot be appended, or
   *     a mapping makes none or several messages of it; nothing is written
   * @throws OutledgerException {@code OUT-050} if another message waits under the name; {@code
   *     OUT-051} if this outbox cannot schedule; otherwise as {@link #append(Collection)} does
   */
  default UUID append(Object event, Delivery when) {
    Require.nonNull("event", event);
    Require.nonNull("when", when);
    throw unscheduled();
  }

  /**
   * Cancels a scheduled message, in this transaction.
   *
   * @param id what {@link #append(Object, Delivery)} has returned
   * @return true if, once this transaction has committed, it will never be delivered; false if it
   *     does not wait: it has entered the ledger, was cancelled before, or there is none
   * @throws OutledgerException {@code OUT-051} if this outbox cannot schedule; otherwise as {@link
   *     #append(Collection)} does
   */
  default boolean cancel(UUID id) {
    Require.nonNull("id", id);
    throw unscheduled();
  }

  /**
   * Cancels the scheduled message that waits under a name; see {@link #cancel(UUID)}.
   *
   * @param name the name under which it was scheduled
   * @throws ConfigurationException {@code OUT-006} if it is not a valid name
   */
  default boolean cancel(String name) {
    Name.check("scheduled message", name);
    throw unscheduled();
  }

  private OutledgerException unscheduled() {
    return new ConfigurationException(
        ErrorCode.NOT_SCHEDULING,
        "the outbox "
            + getClass().getName()
            + " cannot schedule or cancel messages: implement append(Object, Delivery) and cancel"
            + " in it, or use one that JdbcOutbox, SpringOutbox, JpaOutbox or InMemoryOutbox"
            + " makes");
  }
}
