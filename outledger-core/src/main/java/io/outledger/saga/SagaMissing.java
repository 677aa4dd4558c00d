// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

/**
 * What is done with a message whose saga is not there: it has ended, or has not started yet.
 *
 * @param <E> the class of the event
 */
@FunctionalInterface
public interface SagaMissing<E> {

  /**
   * Does it, in the transaction that remembers the message as handled.
   *
   * @throws Exception to have the message delivered again, as where it may have come too early
   */
  void handle(E event, SagaContext context) throws Exception;
}
