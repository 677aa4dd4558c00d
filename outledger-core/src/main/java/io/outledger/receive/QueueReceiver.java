// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ConfigurationException;
import io.outledger.Given;
import io.outledger.Printable;
import io.outledger.inbox.BatchHandler;
import io.outledger.log.QuietLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Receives from a broker that acknowledges each delivery by itself, on a thread of its own. It
 * opens the broker's consumer, and opens another one whenever that fails. Where the broker cannot
 * be reached it is tried once a second. Thread-safe.
 *
 * @param <P> what the broker knows a delivery by
 */
public final class QueueReceiver<P> implements RunningReceiver {

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final String AWAY = "cannot receive";

  private final ReceiverContext context;
  private final Opening<P> opening;
  private final Receiver<P> receiver;
  private final QuietLog log;
  private final @Nullable RunningRetries retries;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable ConfigurationException failure;
  private final Thread thread;
  private boolean isAway;

  /**
   * Opens a broker's consumer.
   *
   * @param <P> what the broker knows a delivery by
   */
  @FunctionalInterface
  public interface Opening<P> {

    /**
     * Connects and subscribes. Called by the receiver's thread, also after a failure.
     *
     * @return the open consumer; closed by the receiver
     * @throws Exception if that is not possible now
     */
    Deliveries<P> open() throws Exception;
  }

  private QueueReceiver(ReceiverContext context, BatchHandler handler, Opening<P> opening) {
    this.context = context;
    this.opening = opening;
    this.receiver = new Receiver<>(handler, context);
    this.log = receiver.log();
    this.thread = new Thread(this::run, "outledger-receiver " + Printable.value(context.name()));
    this.retries = receiver.retries().map(RunningRetries::start).orElse(null);
  }

  /**
   * Starts receiving. A broker that is down is waited for.
   *
   * @param context name, options, listener and time of the receiver
   * @param handler what makes messages take effect; called by one thread
   * @param opening opens the broker's consumer
   * @param <P> what the broker knows a delivery by
   */
  public static <P> QueueReceiver<P> start(
      ReceiverContext context, BatchHandler handler, Opening<P> opening) {
    Given.check("context", context);
    Given.check("opening", opening);
    QueueReceiver<P> running = new QueueReceiver<>(context, handler, opening);
    running.thread.start();
    return running;
  }

  @Override
  public boolean isRunning() {
    return thread.isAlive();
  }

  /**
   * Returns {@code OUT-018} where that is to end it, since the inbox forgets too soon; else null:
   * nothing ends it but {@link #close}.
   */
  @Override
  public @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public void close() {
    stopping.countDown();
    if (isOwnThread()) {
      if (retries != null) {
        retries.stop();
      }
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
    if (retries != null) {
      retries.close();
    }
    log.tellRest();
  }

  /** Names the receiver and says whether it runs. */
  @Override
  public String toString() {
    return thread.getName() + (isRunning() ? ", running" : ", ended");
  }

  /** Says whether a handler calls this: neither of the two threads may wait for the other. */
  private boolean isOwnThread() {
    return Thread.currentThread() == thread || (retries != null && retries.isOwnThread());
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  private void run() {
    while (!isStopping() && failure == null) {
      try {
        receive(opening.open());
      } catch (Throwable e) { // the next consumer may succeed
        say(e);
        pause(PAUSE);
      }
    }
    log.tellRest(); // a handler that closed this did not wait
  }

  private void receive(Deliveries<P> deliveries) throws Throwable {
    QueueSource<P> source =
        new QueueSource<>(deliveries, context.time(), this::pause, this::isStopping);
    try {
      if (!remembers(deliveries)) {
        return;
      }
      receiver.step(source);
      if (isAway) {
        isAway = false;
        log.over(AWAY);
        log.say(Level.INFO, "receives", () -> "receives again");
      }
      while (!isStopping()) {
        receiver.step(source);
      }
    } catch (QueueSource.BrokerFailure e) {
      throw e.getCause();
    } finally {
      close(deliveries);
    }
  }

  /** Returns whether to go on: the consumer remembers for long enough, or may forget. */
  private boolean remembers(Deliveries<P> deliveries) {
    try {
      deliveries.redelivery().ifPresent(receiver::check);
    } catch (ConfigurationException e) {
      failure = e;
      log.say(Level.ERROR, "ended", () -> "ended: " + e.getMessage());
      return false;
    } catch (Exception e) { // it may lack a right that receiving does not need
      log.fails(Level.DEBUG, "unknown retention", () -> "cannot read the broker's retention", e);
    }
    return true;
  }

  private void close(Deliveries<P> deliveries) {
    if (Thread.interrupted()) { // it was for a handler, and would cut the disconnecting short
      log.say(Level.DEBUG, "interrupt", () -> "interrupted; disconnects");
    }
    try {
      deliveries.close();
    } catch (Throwable e) { // what it held is delivered again all the same
      log.fails(Level.DEBUG, "close", () -> "could not close its consumer", e);
    }
  }

  private void say(Throwable failure) {
    if (Thread.interrupted() || failure instanceof InterruptedException) {
      log.say(Level.DEBUG, "interrupt", () -> "interrupted; continues");
      return;
    }
    isAway = true;
    String text = Failure.describe(failure);
    log.fails(
        Level.WARN,
        AWAY,
        text,
        () -> "cannot receive; next attempt in " + Printable.span(PAUSE) + ": " + text);
  }

  private void pause(Duration longest) {
    try {
      if (stopping.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        log.say(Level.DEBUG, "stop", () -> "stops");
      }
    } catch (InterruptedException e) { // it was for a handler
      log.say(Level.DEBUG, "interrupt", () -> "interrupted; continues");
    }
  }
}
