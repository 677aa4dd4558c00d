// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.Require;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;

/**
 * A client of a destination that takes one message in one blocking call, such as a request, a mail
 * or a transaction. The calls run on the threads of an executor, side by side, so its publisher
 * keeps the order of keys with {@link KeyOrder#ONE_AT_A_TIME}.
 *
 * <p>A message whose call still runs when this is closed is reported as unavailable, since its fate
 * is unknown. Whoever closes this client also ends the calls that are running. What is taken back,
 * or waits for a thread when this is closed, leaves the queue of a {@link ThreadPoolExecutor} or a
 * {@link RecallingExecutor} at once; any other executor runs it in its turn, and it does nothing.
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

  /** A message that waits for a thread. */
  private final class Sending implements Runnable {

    private final long position;
    private final int attempt;
    private final Message message;

    Sending(long position, int attempt, Message message) {
      this.position = position;
      this.attempt = attempt;
      this.message = message;
    }

    @Override
    public void run() {
      if (unanswered.begin(position)) {
        unanswered.answer(position, send(position, attempt, message));
      }
    }

    private boolean isVoidOf(BlockingClient client) {
      return client == BlockingClient.this && !unanswered.awaits(position);
    }
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    unanswered.add(position);
    try {
      executor.execute(new Sending(position, attempt, message));
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
    Set<Long> taken = unanswered.takeNotBegun();
    leaveQueue();
    return taken;
  }

  /** Or each would cost those behind it a turn, and be kept while all threads are stuck. */
  private void leaveQueue() {
    Predicate<Runnable> isVoid = task -> task instanceof Sending one && one.isVoidOf(this);
    if (executor instanceof RecallingExecutor recalling) {
      recalling.recall(isVoid);
    } else if (executor instanceof ThreadPoolExecutor pool) {
      pool.getQueue().removeIf(isVoid);
    }
  }

  @Override
  public void close() {
    closed = true;
    unanswered.answerAll(CLOSED);
    leaveQueue();
  }

  private Outcome send(long position, int attempt, Message message) {
    if (closed) {
      return CLOSED;
    }
    try {
      return call.send(position, attempt, message);
    } catch (Throwable e) { // nobody else would ever report an outcome
      return Outcome.suspect(Printable.text(e));
    }
  }
}
