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
}
