// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;

/** A transaction of an application, held open by a test. */
public interface LedgerWriter {

  /**
   * Appends one message, which draws its number now.
   *
   * @return the position
   */
  long append(Message message);

  /** Commits. */
  void commit();

  /** Rolls back. */
  void rollback();
}
