// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.Require;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import java.util.Map;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * Makes what a consumer does with a message take effect once, in a Spring transaction: its inbox
 * row, its work and everything that the work appends are committed together. It joins a running
 * transaction, or runs one of its own.
 *
 * <p>If the work throws, the transaction is rolled back, also one that it joined and whose caller
 * catches what is thrown, and the message can be received again. Thread-safe.
 */
public final class SpringInbox {

  private final Outledger outledger;
  private final SpringTransactions transactions;
  private final PlatformTransactionManager manager;

  /**
   * Creates it.
   *
   * @param outledger whose inboxes remember
   * @param transactions the transactions of its data source
   * @param manager the transaction manager of that data source
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the {@link Outledger} is of
   *     another data source
   */
  public SpringInbox(
      Outledger outledger, SpringTransactions transactions, PlatformTransactionManager manager) {
    this.outledger = Require.nonNull("outledger", outledger);
    this.transactions = Require.nonNull("transactions", transactions);
    transactions.requireOf(outledger);
    this.manager = Require.nonNull("manager", manager);
  }

  /**
   * Runs the work unless the message was processed before.
   *
   * @param consumer the consumer's name, which must never change
   * @param source who sent the message; with the id its identity
   * @param id the message's id, as its source gave it
   * @param work what to do with it
   * @return {@link InboxOutcome#PROCESSED} where the work ran
   * @throws X what the work throws
   * @throws io.outledger.OutledgerException {@code OUT-006} where the consumer's name is not valid,
   *     {@code OUT-014} where the id or source is, {@code OUT-001} where the running transaction is
   *     of another data source, and where the database failed
   */
  public <X extends Exception> InboxOutcome process(
      String consumer, String source, String id, Inbox.Work<X> work) throws X {
    return once(consumer, identity(source, id), work);
  }

  /**
   * Runs the work unless a message was processed before, in the {@linkplain
   * io.outledger.event.ContextPropagator context} of its headers; else as {@link #process(String,
   * String, String, Inbox.Work)}.
   *
   * @throws Exception what the work throws
   */
  public InboxOutcome process(String consumer, Received message, Inbox.Work<Exception> work)
      throws Exception {
    return outledger
        .events()
        .context()
        .call(message.headers(), () -> once(consumer, message, work));
  }

  private <X extends Exception> InboxOutcome once(
      String consumer, Received message, Inbox.Work<X> work) throws X {
    Require.nonNull("work", work);
    TransactionStatus status = manager.getTransaction(new DefaultTransactionDefinition());
    InboxOutcome outcome;
    try {
      outcome = outledger.inbox(consumer).process(transactions.connection(), message, work);
    } catch (Throwable failure) {
      rollBack(status, failure);
      throw failure;
    }
    manager.commit(status);
    return outcome;
  }

  /** Returns the transaction manager that it was created with. */
  public PlatformTransactionManager manager() {
    return manager;
  }

  // The mark is for a transaction that was joined. Whether a part that is rolled back marks the
  // whole is a setting of the manager's, and a caller that catches the failure may commit.
  private void rollBack(TransactionStatus status, Throwable failure) {
    unlessItFails(status::setRollbackOnly, failure);
    unlessItFails(() -> manager.rollback(status), failure);
  }

  private static void unlessItFails(Runnable step, Throwable failure) {
    try {
      step.run();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private static Received identity(String source, String id) {
    return new Received(source, id, "", null, "", 1, new byte[0], Map.of(), null, "", "");
  }
}
