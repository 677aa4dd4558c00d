// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * What application code appends to: events and messages go into the ledger with the transaction
 * that this outbox stands for. What is appended is there when that transaction commits, and was
 * never there when it rolls back; the outbox itself neither commits nor rolls back.
 *
 * <p>Depend on this interface, and a class can be tested without a database:
 *
 * <pre>{@code
 * final class OrderService {
 *   OrderService(OrderRepository orders, Outbox outbox) { … }
 * }
 * }</pre>
 *
 * <p>{@code JdbcOutbox} of outledger-jdbc makes outboxes of a connection and of a transaction
 * manager; {@code InMemoryOutbox} of outledger-testing keeps what is appended for a test to look
 * at. Which threads may use an outbox depends on its transaction: each implementation says so.
 */
@FunctionalInterface
public interface Outbox {

  /**
   * Appends events and messages, in the order given: all of them or, where one is refused, none.
   *
   * @param eventsOrMessages events of registered classes, and {@link Message}s; none is fine
   * @return the ids of the messages, in order
   * @throws InvalidMessageException {@code OUT-011} to {@code OUT-015} where one cannot be
   *     appended; nothing was written
   * @throws OutledgerException where the store refuses or fails: roll the transaction back
   */
  default List<UUID> append(Object... eventsOrMessages) {
    return append(Arrays.asList(Given.check("array of events and messages", eventsOrMessages)));
  }

  /**
   * Appends a collection; see {@link #append(Object...)}.
   *
   * @param eventsOrMessages events of registered classes, and {@link Message}s; may be empty
   * @return the ids of the messages, in order
   */
  List<UUID> append(Collection<?> eventsOrMessages);
}
