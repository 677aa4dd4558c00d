// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.Messages.RenewalConfirmed;
import io.outledger.flow.FlowMessage;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Flow;

/**
 * A subscriber that keeps figures. A message that comes again, because another subscriber of it has
 * failed or the process has crashed, is in its inbox and not counted twice, for as long as the
 * inbox remembers it.
 *
 * <p>Subscribers that share a stream wait for one another. A subscription, or a handler, for each
 * is the ordinary way; a stream is for those who have reactive code.
 */
final class Analyst implements Flow.Subscriber<Shared> {

  private final Outledger outledger;
  private final JdbcInbox inbox;
  private final Question question;

  /**
   * Makes it.
   *
   * @param name its own, which must not change: the inbox knows it by that
   */
  Analyst(Outledger outledger, String name, Question question) {
    this.outledger = outledger;
    this.inbox = outledger.inbox(Analytics.SUBSCRIPTION + "/" + name);
    this.question = question;
  }

  /** What is counted. */
  @FunctionalInterface
  interface Question {
    Figure answer(RenewalConfirmed renewal);
  }

  /** By how much a figure grows. */
  record Figure(String name, int more) {}

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE); // the stream asks for no more than there is room for
  }

  @Override
  public void onNext(Shared shared) {
    try {
      count(shared.message());
    } catch (SQLException | RuntimeException | Error e) {
      // An error, too: a subscriber that throws is sent nothing more.
      shared.failed(e.toString());
      return;
    }
    shared.processed();
  }

  private void count(FlowMessage message) throws SQLException {
    RenewalConfirmed renewal = (RenewalConfirmed) outledger.events().read(message.message());
    Received received =
        Received.ofLedger(Analytics.SUBSCRIPTION, message.position(), message.message());
    outledger
        .transactions()
        .run(
            connection ->
                inbox.process(
                    connection, received, () -> add(connection, question.answer(renewal))));
  }

  private static void add(Connection connection, Figure figure) throws SQLException {
    int known =
        Sql.update(
            connection,
            "UPDATE figure SET amount = amount + ? WHERE name = ?",
            figure.more(),
            figure.name());
    if (known == 0) {
      Sql.update(
          connection,
          "INSERT INTO figure (name, amount) VALUES (?, ?)",
          figure.name(),
          figure.more());
    }
  }

  @Override
  public void onError(Throwable failure) {} // what it has not settled is delivered again

  @Override
  public void onComplete() {}
}
