// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.EntityManager;

/**
 * The application's code for a domain event inside the transaction that raised it.
 *
 * @param <E> the class of the event
 */
@FunctionalInterface
public interface DomainEventListener<E> {

  /**
   * Handles an event, after its changes were flushed and before they are committed. What is changed
   * here through the entity manager is flushed, too, and events that are raised here are captured.
   *
   * @param event the event
   * @param entityManager that of the transaction; not to be closed, and its transaction not ended
   * @throws Exception where it failed: the commit fails, and everything is rolled back
   */
  void handle(E event, EntityManager entityManager) throws Exception;
}
