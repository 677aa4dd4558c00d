// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import io.outledger.Message;
import io.outledger.Require;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A client of a destination that takes one message in one blocking call, such as a request, a mail
 * or a transaction. The calls run on the threads of an executor, side by side, so its publisher
 * keeps the order of keys with {@link KeyOrder#ONE_AT_A_TIME}.
 *
 * <p>A message whose call still runs when this is closed is reported as unavailable, since its fate
 * is unknown. Whoever closes this client also ends the calls that are running.
 */
public final class BlockingClient implements PublisherClient {

  static final Outcome CLOSED = Outcome.unavailable("the relay closed its publisher");

  private final Executor executor;
  private final Call call;
  private final Unanswered unanswered;
  private volatile boolean closed;

  /** Sends one message and waits for its outcome. Thread-safe. */
  @FunctionalInterface
  public interface Call {

    /**
     * Sends a message. What this throws counts as {@link Outcome#suspect}.
     *
     * @param position the message's position in the ledger
     * @param attempt as {@link PublisherClient#publish} is told
     * @param message the message
     */
    Outcome send(long position, int attempt, Message message);
  }

  /**
   * Creates a client.
   *
   * @param executor runs the calls; it is not closed by this
   * @param call sends one message
   * @param outcomes where the outcomes are reported
   * @throws io.outledger.ConfigurationException {@code OUT-021} if an argument is null
   */
  public BlockingClient(Executor executor, Call call, Outcomes outcomes) {
    this.executor = Require.nonNull("executor", executor);
    this.call = Require.nonNull("call", call);
    this.unanswered = new Unanswered(Require.nonNull("outcomes", outcomes));
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    unanswered.add(position);
    try {
      executor.execute(
          () -> {
            if (unanswered.begin(position)) {
              unanswered.answer(position, send(position, attempt, message));
            }
          });
    } catch (RejectedExecutionException e) {
      unanswered.answer(position, Outcome.unreachable("the executor rejected the task: " + e));
    }
  }

  @Override
  public void flush() {
    // Each message is handed to the executor as it comes.
  }

  /** Takes back what waits for a thread. */
  @Override
  public Set<Long> recall() {
    return unanswered.takeNotBegun();
  }

  @Override
  public void close() {
    closed = true;
    unanswered.answerAll(CLOSED);
  }

  private Outcome send(long position, int attempt, Message message) {
    if (closed) {
      return CLOSED;
    }
    try {
      return call.send(position, attempt, message);
    } catch (Throwable e) { // nobody else would ever report an outcome
      return Outcome.suspect(Unanswered.describe(e));
    }
  }
}
