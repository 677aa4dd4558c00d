// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxOutcome;
import java.sql.Connection;
import java.util.function.BooleanSupplier;

/**
 * One attempt at a message, in a transaction of its own: what had succeeded before it failed tells
 * who is at fault. For one thread.
 */
final class Attempt {

  private final SessionHarm harm;
  private final InboxId message;
  private Stage stage = Stage.CONNECTS;

  /** What the transaction does. */
  private enum Stage {
    CONNECTS,
    REMEMBERS,
    WORKS,
    COMMITS,
    COMMITS_BLAMELESS
  }

  /** Runs the transaction of an attempt, and tells the attempt how far it has come. */
  @FunctionalInterface
  interface Transaction {
    void run(Attempt attempt) throws Exception;
  }

  Attempt(SessionHarm harm, InboxId message) {
    this.harm = harm;
    this.message = message;
  }

  /** Makes this attempt. */
  Attempt of(Transaction transaction) throws Exception {
    transaction.run(this);
    return this;
  }

  /** Notes that the transaction has begun. Its first statement inserts the inbox row. */
  void begun() {
    stage = Stage.REMEMBERS;
  }

  /**
   * Does the work behind the inbox row, and explains what it throws.
   *
   * @param own the transaction's connection
   */
  void work(Connection own, Inbox.Work<Exception> work) throws Exception {
    stage = Stage.WORKS;
    harm.watched(own, message, work);
  }

  /**
   * Notes that the inbox is done with the message, and the commit follows. No work stands behind
   * that of a duplicate, which was processed before, so what fails there is never its fault.
   */
  void processed(InboxOutcome outcome) {
    stage = outcome == InboxOutcome.PROCESSED ? Stage.COMMITS : Stage.COMMITS_BLAMELESS;
  }

  /**
   * Notes that something has failed that a framework does before the commit, such as an
   * application's callback. Where the session is well, it was on another connection.
   *
   * @param own the transaction's connection; the transaction is still there
   */
  void failsBeforeCommit(Connection own) {
    if (!harm.isHarmed(own)) {
      stage = Stage.COMMITS_BLAMELESS;
    }
  }

  /**
   * Returns what to throw for what the transaction has thrown.
   *
   * @param databaseAnswers asks the database over another connection
   */
  Exception explain(Exception thrown, BooleanSupplier databaseAnswers) {
    return switch (stage) {
      case CONNECTS -> harm.explainBegin(thrown);
      case REMEMBERS -> harm.explainInsert(message, thrown, databaseAnswers);
      case WORKS -> thrown; // the work has explained it
      case COMMITS -> harm.explainCommit(message, thrown);
      case COMMITS_BLAMELESS -> harm.explainBlamelessCommit(thrown);
    };
  }

  /** Notes that the transaction has committed. */
  void succeeded() {
    harm.acquit(message);
  }
}
