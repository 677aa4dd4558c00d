// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.log.QuietLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Receives from a broker that acknowledges each delivery by itself, on a thread of its own. It
 * opens the broker's consumer, and opens another one whenever that fails. While the broker is
 * unreachable, it tries to connect once a second. Thread-safe.
 *
 * @param <P> what the broker knows a delivery by
 */
public final class QueueReceiver<P> implements OpenReceiver {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final String STUCK = "stuck";
  private static final int STUCK_ENDS = 4;

  private final ReceiverContext context;
  private final Opening<P> opening;
  private final Receiver<P> receiver;
  private final QuietLog log;
  private final @Nullable RunningRetries retries;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable ConfigurationException failure;
  private final Thread thread;
  private final Trial trial = new Trial();

  /**
   * Opens a broker's consumer.
   *
   * @param <P> what the broker knows a delivery by
   */
  @FunctionalInterface
  public interface Opening<P> {

    /**
     * Connects and subscribes. Called by the receiver's thread, also after a failure. What the
     * broker's client could not hand over to the consumer before is the first delivery of one with
     * a window of {@link Window#ONE}: where it can be named, or taken out of the way, that consumer
     * returns it as one that cannot be read.
     *
     * @param window how much the broker may deliver ahead; brokers that count no deliveries, and
     *     whose clients hand over whatever comes, need not keep to it
     * @return the open consumer; closed by the receiver
     * @throws StandByException if another instance receives now
     * @throws Exception if that is not possible now
     */
    Deliveries<P> open(Window window) throws Exception;
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
   * Starts receiving. If the broker is down, the receiver waits for it.
   *
   * @param context name, options, listener and time of the receiver
   * @param handler what makes messages take effect; called by one thread
   * @param opening opens the broker's consumer
   * @param <P> what the broker knows a delivery by
   */
  public static <P> QueueReceiver<P> start(
      ReceiverContext context, BatchHandler handler, Opening<P> opening) {
    Require.nonNull("context", context);
    Require.nonNull("opening", opening);
    QueueReceiver<P> running = new QueueReceiver<>(context, handler, opening);
    running.thread.start();
    return running;
  }

  @Override
  public boolean isRunning() {
    return thread.isAlive();
  }

  /**
   * Returns the {@code OUT-018} failure that has ended receiving, because the inbox forgets too
   * soon; null where there is none. Nothing else but {@link #close} ends it. What is parked is
   * retried even so, until it is closed.
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
    receiver.closed();
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
      pause(receiveUntilItFails());
    }
    if (isStopping()) {
      receiver.closed();
    }
    log.tellRest(); // a handler that closed this did not wait
  }

  /**
   * Receives until this is to stop, or another consumer is to be opened. Throws nothing.
   *
   * @return how long to wait before that
   */
  private Duration receiveUntilItFails() {
    try {
      return receiveOrTell();
    } catch (Throwable e) { // there was no memory even to tell of a failure
      return PAUSE;
    }
  }

  private Duration receiveOrTell() {
    Deliveries<P> deliveries;
    try {
      deliveries = opening.open(trial.window());
    } catch (Throwable e) { // the next attempt may succeed
      say(e, PAUSE);
      return PAUSE;
    }
    try {
      receive(deliveries);
      return Duration.ZERO;
    } catch (Throwable e) { // the next consumer may succeed
      return ended(deliveries, e);
    } finally {
      close(deliveries);
    }
  }

  private Duration ended(Deliveries<P> deliveries, Throwable failure) {
    if (failure instanceof InterruptedException || failure instanceof StandByException) {
      say(failure, PAUSE);
      return PAUSE;
    }
    trial.ended();
    say(failure, trial.pause());
    if (trial.emptyEnds() >= STUCK_ENDS) {
      sayStuck(deliveries, Printable.text(failure));
    }
    return trial.pause();
  }

  private void sayStuck(Deliveries<P> deliveries, String reason) {
    log.fails(
        Level.ERROR,
        STUCK,
        reason,
        () ->
            ("%s: %s consumers in a row have ended before they acknowledged anything, perhaps at"
                    + " a delivery that the broker's client cannot hand over%s: %s")
                .formatted(
                    ErrorCode.DELIVERY_STUCK.code(),
                    trial.emptyEnds(),
                    deliveries.deliveryLimit().map(limit -> "; " + limit.words()).orElse(""),
                    reason));
  }

  private void receive(Deliveries<P> deliveries) throws Throwable {
    QueueSource<P> source =
        new QueueSource<>(deliveries, context.time(), this::pause, this::isStopping);
    try {
      if (!checkRetention(deliveries)) {
        return;
      }
      deliveries.deliveryLimit().ifPresent(receiver::tell);
      step(source);
      receiver.receives();
      while (!isStopping() && !trial.isPassed()) {
        step(source);
      }
      if (trial.isPassed()) {
        trial.passed();
      }
    } catch (QueueSource.BrokerFailure e) {
      throw e.getCause();
    }
  }

  private void step(QueueSource<P> source) {
    try {
      receiver.step(source);
    } finally {
      trial.stepped(source.takeAcknowledged(), source.isIdle());
      trial.waitsForOthers(source.waitsForOthers());
    }
    if (trial.emptyEnds() == 0) {
      log.over(STUCK);
    }
  }

  /**
   * Compares the inbox's retention with the broker's, and ends receiving if it must not go on.
   *
   * @return whether to go on
   */
  private boolean checkRetention(Deliveries<P> deliveries) {
    try {
      deliveries.redelivery().ifPresent(receiver::check);
    } catch (ConfigurationException e) {
      failure = e;
      receiver.ended(String.valueOf(e.getMessage()));
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

  private void say(Throwable failure, Duration delay) {
    boolean ignored = Thread.interrupted(); // it was for a handler
    if (failure instanceof InterruptedException) {
      log.say(Level.DEBUG, "interrupt", () -> "interrupted; continues");
      return;
    }
    if (failure instanceof StandByException) {
      receiver.standsBy(Printable.value(failure.getMessage()));
    } else {
      receiver.cannotReceive(Printable.text(failure), delay);
    }
  }

  private void pause(Duration longest) {
    if (longest.isZero()) {
      return;
    }
    try {
      if (stopping.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        log.say(Level.DEBUG, "stop", () -> "stops");
      }
    } catch (InterruptedException e) { // it was for a handler
      log.say(Level.DEBUG, "interrupt", () -> "interrupted; continues");
    }
  }
}
