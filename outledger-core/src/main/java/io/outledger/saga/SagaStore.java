// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import java.util.Optional;

/**
 * The sagas that have not ended, as one transaction sees them. What it writes takes effect with
 * that transaction, and the row of a saga is written by one transaction at a time: whoever has read
 * an older version fails. For one thread.
 */
public interface SagaStore {

  /**
   * Returns a saga.
   *
   * @throws io.outledger.OutledgerException if the store failed
   */
  Optional<SagaRow> find(SagaId id);

  /**
   * Inserts a saga that has started, with the version of its first step.
   *
   * @throws io.outledger.StoreException {@code OUT-041} if another transaction has started it
   */
  void insert(SagaRow row);

  /**
   * Writes a saga that has moved.
   *
   * @param row its version is one more than the one that was read
   * @throws io.outledger.StoreException {@code OUT-041} if it is not of that version any more
   */
  void update(SagaRow row);

  /**
   * Removes a saga that has ended.
   *
   * @param version the one that was read
   * @throws io.outledger.StoreException {@code OUT-041} if it is not of that version any more
   */
  void delete(SagaId id, long version);
}
