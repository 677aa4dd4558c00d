// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.event.ContextPropagator;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.Received;
import java.sql.Connection;

/**
 * Processes messages of an inbox one at a time, each in a transaction of its own, and explains what
 * that throws. Thread-safe.
 */
final class InboxAttempts {

  private final Inbox<Connection> inbox;
  private final JdbcTransactions transactions;
  private final SessionHarm harm;
  private final ContextPropagator context;

  InboxAttempts(
      Inbox<Connection> inbox,
      JdbcTransactions transactions,
      SessionHarm harm,
      ContextPropagator context) {
    this.inbox = inbox;
    this.transactions = transactions;
    this.harm = harm;
    this.context = context;
  }

  /** Processes a message, unless it was processed before. */
  void once(Received message, JdbcTransactions.Work<Exception> work) throws Exception {
    once(message, connection -> {}, work);
  }

  /**
   * Processes a message, unless it was processed before.
   *
   * @param begun is told of the transaction's connection before anything else
   */
  void once(
      Received message,
      JdbcTransactions.Work<Exception> begun,
      JdbcTransactions.Work<Exception> work)
      throws Exception {
    make(
        message,
        attempt ->
            transactions.runHandling(
                connection -> {
                  begun.run(connection);
                  attempt.begun();
                  attempt.processed(
                      inbox.process(
                          connection,
                          message,
                          () -> attempt.work(connection, () -> work.run(connection))));
                }));
  }

  /** Processes a message in a framework's transaction, unless it was processed before. */
  void in(FrameworkTransaction transaction, Received message, Inbox.Work<Exception> work)
      throws Exception {
    make(
        message,
        attempt -> {
          Connection connection = transaction.begin();
          attempt.begun();
          try {
            attempt.processed(
                inbox.process(connection, message, () -> attempt.work(connection, work)));
          } catch (Throwable failure) {
            transaction.rollBack(failure);
            throw failure;
          }
          transaction.commit(() -> attempt.failsBeforeCommit(connection));
        });
  }

  /** Makes one attempt at a message, and explains what its transaction throws. */
  private void make(Received message, Attempt.Transaction transaction) throws Exception {
    Attempt attempt = new Attempt(harm, message.inboxId());
    try {
      context.call(message.headers(), () -> CommittedWork.of(() -> attempt.of(transaction)));
    } catch (Exception e) {
      throw attempt.explain(e, transactions::databaseAnswers);
    }
    attempt.succeeded();
  }

  /** Notes that a message's transaction was ended from outside, so that it is not at fault. */
  void acquit(Received message) {
    harm.acquit(message.inboxId());
  }
}
