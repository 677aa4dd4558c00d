// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

/**
 * What a message does with a saga.
 *
 * @param <S> the class of the saga's state
 * @param <E> the class of the event
 */
@FunctionalInterface
public interface SagaHandler<S, E> {

  /**
   * Does it, in the transaction that remembers the message as handled and writes the new state.
   *
   * @throws Exception if it could not be done: all of it is rolled back, and the message is
   *     delivered again as for any other handler
   */
  void handle(E event, SagaStep<S> step) throws Exception;
}
