// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

/** The meaning of a database failure to the code that received it. */
public enum ErrorClass {
  /**
   * The connection or its session has ended, or there is none to be had. Where a commit was under
   * way, its outcome is unknown.
   */
  CONNECTION_LOST,
  /** The server has no room, or failed inside: the same may succeed later. */
  SERVER_FAILED,
  /** The server, or the transaction, takes no writes. */
  READ_ONLY,
  /** The tables are not there. */
  TABLES_MISSING,
  /** The role may not do what the statement asks for. */
  RIGHT_MISSING,
  /** Two transactions met: the whole of this one may be done again at once. */
  RACE,
  /** A lock was not had in time: the whole transaction may be done again later. */
  LOCK_TIMEOUT,
  /** Another row has this unique key. */
  DUPLICATE_KEY,
  /** A statement of the transaction had failed before, and it can only roll back. */
  TRANSACTION_FAILED,
  /** The database refused the statement for another reason. */
  REFUSED
}
