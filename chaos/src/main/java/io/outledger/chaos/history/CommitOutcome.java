// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.history;

/** What a writer knows of the transaction that a message was appended in. */
public enum CommitOutcome {
  /** The commit was answered. */
  COMMITTED,
  /** The transaction was rolled back, or the server said that it failed before the commit. */
  ROLLED_BACK,
  /** The commit was asked for, or about to be, and never answered: the database decides. */
  UNKNOWN
}
