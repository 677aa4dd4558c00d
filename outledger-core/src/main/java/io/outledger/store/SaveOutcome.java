// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

/** What became of a save. */
public sealed interface SaveOutcome {

  /**
   * It is committed and on the disk.
   *
   * @param transactionId its transaction's id, which witnesses holes
   * @param server who answered
   */
  record Saved(long transactionId, ServerIdentity server) implements SaveOutcome {}

  /**
   * Somebody else owns the cursor now, or another server or ledger answered than gave the lease;
   * nothing was written, parked messages included.
   */
  record Fenced() implements SaveOutcome {}
}
