// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ErrorCode;

/**
 * The meaning of a database failure: one table for relays, outboxes, inboxes and handlers. A
 * database's {@link SqlErrors} assigns its errors to these classes.
 */
public enum ErrorClass {
  /**
   * The connection or its session has ended, or there is none to be had. Where a commit was under
   * way, its outcome is unknown.
   */
  CONNECTION_LOST(ErrorCode.STORE_UNAVAILABLE, Blame.DATABASE),
  /**
   * The server has ended the session, because its transaction took too long or was idle for too
   * long. Where a commit was under way, its outcome is unknown.
   */
  SESSION_TIMEOUT(ErrorCode.STORE_UNAVAILABLE, Blame.WORK),
  /** The disk of the server is full, which holds up everybody: the same may succeed later. */
  DISK_FULL(ErrorCode.STORE_UNAVAILABLE, Blame.DATABASE),
  /** The server has no memory, or failed inside: the same may succeed later. */
  SERVER_FAILED(ErrorCode.STORE_UNAVAILABLE, Blame.DATABASE),
  /**
   * A limit of the server is exceeded. Outledger's own statements stay below those of a statement,
   * so that they meet one that stops every write; a handler's own may be too large.
   */
  LIMIT_EXCEEDED(ErrorCode.STORE_UNAVAILABLE, Blame.MESSAGE),
  /** The server, or the transaction, takes no writes. */
  READ_ONLY(ErrorCode.SERVER_IN_RECOVERY, Blame.DATABASE),
  /** The tables are not there. */
  TABLES_MISSING(ErrorCode.SCHEMA_MISSING, Blame.WORK),
  /** The role may not do what the statement asks for. */
  RIGHT_MISSING(ErrorCode.STORE_FAILED, Blame.WORK),
  /** Two transactions met: the whole of this one may be done again at once. */
  RACE(ErrorCode.STORE_FAILED, Blame.WORK),
  /** A lock was not had in time: the whole transaction may be done again later. */
  LOCK_TIMEOUT(ErrorCode.STORE_FAILED, Blame.WORK),
  /** A statement took too long, or somebody cancelled it. */
  STATEMENT_TIMEOUT(ErrorCode.STORE_FAILED, Blame.WORK),
  /** Another row has this unique key. */
  DUPLICATE_KEY(ErrorCode.STORE_FAILED, Blame.MESSAGE),
  /** A statement of the transaction had failed before, and it can only roll back. */
  TRANSACTION_FAILED(ErrorCode.STORE_FAILED, Blame.WORK),
  /** The database refused the statement for another reason. */
  REFUSED(ErrorCode.STORE_FAILED, Blame.MESSAGE);

  /** The party at fault where a handler's own statement failed in this way. */
  public enum Blame {
    /** The database, which serves no handler now: an outage, in which no attempt is counted. */
    DATABASE,
    /** The handler, or what it finds in the database: others may fail, too. */
    WORK,
    /** The message's values. */
    MESSAGE
  }

  private final ErrorCode code;
  private final Blame blame;

  ErrorClass(ErrorCode code, Blame blame) {
    this.code = code;
    this.blame = blame;
  }

  /** Returns the code of the exception where a statement of Outledger's own failed in this way. */
  public ErrorCode code() {
    return code;
  }

  /** Returns the party at fault where a handler's own statement failed in this way. */
  public Blame blame() {
    return blame;
  }

  /** Returns whether the session has ended, so that the outcome of a commit is unknown. */
  public boolean endsSession() {
    return this == CONNECTION_LOST || this == SESSION_TIMEOUT;
  }
}
