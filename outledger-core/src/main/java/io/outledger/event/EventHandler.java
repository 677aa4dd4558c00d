// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

/**
 * The application's code for an event of a registered class.
 *
 * @param <E> the class of the event
 * @param <C> what is known beside the event, such as the connection of the transaction
 */
@FunctionalInterface
public interface EventHandler<E, C> {

  /**
   * Handles an event.
   *
   * @throws Exception if it could not be handled: the transaction is rolled back, and the message
   *     is delivered again as it is for a handler of messages
   */
  void handle(E event, C context) throws Exception;
}
