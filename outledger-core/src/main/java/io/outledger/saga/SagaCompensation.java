// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

/**
 * What compensates for something that a saga has done. Compensations run newest first, see {@link
 * SagaStep#compensate()}.
 *
 * @param <S> the class of the saga's state
 */
@FunctionalInterface
public interface SagaCompensation<S> {

  /**
   * Does it, in the transaction of the message that made the saga compensate. If it has to wait for
   * an answer, it calls {@link SagaStep#waitFor}.
   *
   * @throws Exception if it could not be done: everything that the message did is rolled back, also
   *     the compensations that ran before, and the message is delivered again
   */
  void compensate(SagaStep<S> step) throws Exception;
}
