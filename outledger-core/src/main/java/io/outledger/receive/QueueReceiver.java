// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.log.QuietLog;
import java.time.Duration;
import org.slf4j.event.Level;

/**
 * Receives from a broker that acknowledges each delivery by itself. It opens the broker's consumer,
 * and opens another one whenever that fails. While the broker is unreachable, it tries to connect
 * once a second. For its receiver's thread.
 *
 * @param <P> what the broker knows a delivery by
 */
public final class QueueReceiver<P> {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final String STUCK = "stuck";
  private static final int STUCK_ENDS = 4;

  private final ReceiverContext context;
  private final Opening<P> opening;
  private final Receiver<P> receiver;
  private final QuietLog log;
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
  }

  /**
   * Starts receiving. If the broker is down, the receiver waits for it. Nothing ends it but its
   * {@code close}, and the {@code OUT-018} failure that its inbox forgets too soon.
   *
   * @param context name, options, listener and time of the receiver
   * @param handler what makes messages take effect; called by one thread
   * @param opening opens the broker's consumer
   * @param <P> what the broker knows a delivery by
   */
  public static <P> OpenReceiver start(
      ReceiverContext context, BatchHandler handler, Opening<P> opening) {
    Require.nonNull("context", context);
    Require.nonNull("opening", opening);
    QueueReceiver<P> queue = new QueueReceiver<>(context, handler, opening);
    return ReceivingThread.start(context.name(), queue.receiver, queue::receive, () -> {});
  }

  private Duration receive(ReceivingThread thread) {
    Deliveries<P> deliveries;
    try {
      deliveries = opening.open(trial.window());
    } catch (Throwable e) { // the next attempt may succeed
      say(e, PAUSE);
      return PAUSE;
    }
    try {
      receive(deliveries, thread);
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

  private void receive(Deliveries<P> deliveries, ReceivingThread thread) throws Throwable {
    QueueSource<P> source =
        new QueueSource<>(deliveries, context.time(), thread::pause, thread::isStopping);
    try {
      if (!checkRetention(deliveries, thread)) {
        return;
      }
      deliveries.deliveryLimit().ifPresent(receiver::tell);
      step(source);
      receiver.receives();
      while (!thread.isStopping() && !trial.isPassed()) {
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
  private boolean checkRetention(Deliveries<P> deliveries, ReceivingThread thread) {
    try {
      deliveries.redelivery().ifPresent(receiver::check);
    } catch (ConfigurationException e) {
      thread.end(e, String.valueOf(e.getMessage()));
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
}
