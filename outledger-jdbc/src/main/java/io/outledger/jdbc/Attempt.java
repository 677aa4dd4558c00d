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
    COMMITS_DUPLICATE
  }

  Attempt(SessionHarm harm, InboxId message) {
    this.harm = harm;
    this.message = message;
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
    stage = outcome == InboxOutcome.PROCESSED ? Stage.COMMITS : Stage.COMMITS_DUPLICATE;
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
      case COMMITS_DUPLICATE -> harm.explainCommitWithoutWork(thrown);
    };
  }

  /** Notes that the transaction has committed. */
  void succeeded() {
    harm.acquit(message);
  }
}
