// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

/** What a cursor knows of the ledger that is there. */
public enum LedgerSight {
  /** It is the one that it has read. */
  SAME,
  /** The message by which it knows the ledger is gone: somebody has deleted it, or all of them. */
  UNKNOWN,
  /** It is certainly another one. */
  ANOTHER
}
