// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import java.sql.Connection;

/**
 * Takes the events that a capture hands over one by one, with all that is known of them: for the
 * integration of a framework, whose outbox takes messages from elsewhere, too, and whose
 * transactions may be others than the entity manager's. Thread-safe.
 */
@FunctionalInterface
public interface OrderedOutbox {

  /**
   * Appends an event, on the thread and inside the transaction of the entity manager.
   *
   * @param event what an entity has raised
   * @param order its place among everything that the transaction appends: a number of {@link
   *     io.outledger.jdbc.AppendOrder}, drawn when the event was raised, or first seen where its
   *     entity does not say when that was
   * @param connection what the entity's change is written over. An outbox that writes over another
   *     one writes in another transaction, and must refuse the event
   * @throws RuntimeException if it cannot be appended: the transaction is rolled back
   */
  void append(Object event, long order, Connection connection);
}
