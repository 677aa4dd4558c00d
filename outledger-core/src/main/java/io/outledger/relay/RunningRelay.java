// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.time.TimeSource;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a relay on a thread of its own until it is closed. A second thread ends all sending when the
 * lease's deadline passes while the first is stuck in a call.
 *
 * <p>Thread-safe.
 */
public final class RunningRelay implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningRelay.class);
  private static final Duration REFUSED_PAUSE = Duration.ofSeconds(2);
  private static final Duration FAILED_PAUSE = Duration.ofSeconds(1);

  private final Relay relay;
  private final String name;
  private final TimeSource time;
  private final Duration handOverMax;
  private final Thread runner;
  private final Thread guard;
  private final Wakeup guardWakeup = new Wakeup();
  private volatile boolean closing;
  private volatile StepReport.State state = StepReport.State.STANDBY;

  private RunningRelay(Relay relay, String name, TimeSource time, Duration handOverMax) {
    this.relay = relay;
    this.name = name;
    this.time = time;
    this.handOverMax = handOverMax;
    this.runner = new Thread(this::run, "outledger-relay-" + name);
    this.guard = new Thread(this::guard, "outledger-deadline-" + name);
    guard.setDaemon(true);
  }

  /**
   * Starts a relay.
   *
   * @param relay the relay, which this closes at the end
   * @param name its subscription, for thread names and the log
   * @param time measures how long a hand-over takes
   * @param handOverMax how long {@link #close()} waits for what is in flight
   */
  public static RunningRelay start(
      Relay relay, String name, TimeSource time, Duration handOverMax) {
    RunningRelay running = new RunningRelay(relay, name, time, handOverMax);
    running.runner.start();
    running.guard.start();
    return running;
  }

  /** Returns what the relay is now. */
  public StepReport.State state() {
    return state;
  }

  /** Wakes the relay, because a transaction with messages has committed. Cheap; it never blocks. */
  public void wake() {
    relay.wakeup().signal();
  }

  /**
   * Ends the relay: nothing new is published, what is in flight is settled and saved, the lease is
   * given back. What could not be settled in time is published again by the next owner. Idempotent;
   * an interrupt cuts the waiting short and stays set.
   */
  @Override
  public void close() {
    closing = true;
    relay.wakeup().signal();
    try {
      runner.join();
    } catch (InterruptedException e) {
      runner.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!closing) {
        Duration pause = step();
        if (!pause.isZero() && !closing) {
          relay.wakeup().await(pause);
        }
      }
      handOver();
    } catch (InterruptedException e) {
      LOG.warn("relay {} was interrupted; its lease lapses by itself", name);
    } finally {
      state = StepReport.State.RELEASED;
      guardWakeup.signal();
      relay.close();
    }
  }

  private Duration step() {
    try {
      StepReport report = relay.step();
      state = report.state();
      return report.nextIn();
    } catch (ConfigurationException e) {
      LOG.error("relay {} does not publish until this is mended: {}", name, e.getMessage());
      state = StepReport.State.RECOVERING;
      return REFUSED_PAUSE;
    } catch (RuntimeException e) {
      LOG.error("relay {} failed, and begins anew", name, e);
      state = StepReport.State.RECOVERING;
      return FAILED_PAUSE;
    }
  }

  private void handOver() throws InterruptedException {
    long start = time.nanoTime();
    relay.handOver();
    while (state != StepReport.State.RELEASED) {
      if (time.nanoTime() - start >= handOverMax.toNanos()) {
        LOG.warn("relay {} ends with messages in flight; they will be published again", name);
        return;
      }
      step();
      relay.wakeup().await(Duration.ofMillis(1));
    }
  }

  private void guard() {
    try {
      while (state != StepReport.State.RELEASED) {
        relay.abortIfLate();
        Duration left = relay.untilDeadline();
        guardWakeup.await(left.isZero() ? Duration.ofMillis(50) : left.plusMillis(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
