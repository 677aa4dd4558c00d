// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.log.QuietLog;
import io.outledger.relay.context.RelayThread;
import io.outledger.relay.context.Wakeup;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a relay on its own thread until it is closed. A second thread stops all sending if the lease
 * expires while the first thread is stuck in a call.
 *
 * <p>Nothing but {@link #close()} ends the two threads, and a subscription that was deleted under
 * the relay: no error, whatever code has thrown it, and no interrupt. A step that fails gives its
 * subscription up, and the relay continues as one that stands by. So does one that runs out of
 * memory; a process that is to end then is started with {@code -XX:+ExitOnOutOfMemoryError}.
 *
 * <p>Thread-safe.
 */
public final class RunningRelay implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningRelay.class);
  private static final Duration GUARD_PAUSE = Duration.ofMillis(50);
  private static final Duration STUCK = Duration.ofSeconds(10);
  private static final long FOREVER = Long.MAX_VALUE;
  private static final int FRAMES_TOLD = 12;

  private final Relay relay;
  private final String name;
  private final TimeSource time;
  private final Duration handOverMax;
  private final QuietLog log;
  private final StepFailures failures;
  private final RelayThread runner;
  private final Thread guard;
  private final Wakeup guardWakeup = new Wakeup();

  /** The loops of a subscription's other partitions, which start and end with this one. */
  private final List<RunningRelay> beside;

  private volatile boolean closing;
  private volatile StepReport.State state = StepReport.State.STANDBY;

  private RunningRelay(
      Relay relay, String name, TimeSource time, Duration handOverMax, List<RunningRelay> beside) {
    this.beside = List.copyOf(beside);
    this.relay = relay;
    this.name = Printable.value(name);
    this.time = time;
    this.handOverMax = handOverMax;
    this.log = new QuietLog(RunningRelay.class, "relay " + name, time);
    this.failures = new StepFailures(log);
    this.runner = new RelayThread(this::run, "outledger-relay-" + name);
    this.guard = new RelayThread(this::guard, "outledger-deadline-" + name);
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
    Require.nonNull("relay", relay);
    Require.nonNull("name", name);
    Require.nonNull("time", time);
    Require.nonNull("handOverMax", handOverMax);
    RunningRelay running = new RunningRelay(relay, name, time, handOverMax, List.of());
    running.begin();
    return running;
  }

  /**
   * Starts the relays of a subscription's partitions, each on threads of its own, as one.
   *
   * @param relays by their names, at least one; this closes them at the end
   * @param time measures how long a hand-over takes
   * @param handOverMax how long {@link #close()} waits for what is in flight
   * @throws ConfigurationException {@code OUT-021} if there is none
   */
  public static RunningRelay startAll(
      Map<String, Relay> relays, TimeSource time, Duration handOverMax) {
    Require.nonNull("time", time);
    Require.nonNull("handOverMax", handOverMax);
    List<Map.Entry<String, Relay>> all = List.copyOf(Require.nonNull("relays", relays).entrySet());
    if (all.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "there is no relay to start");
    }
    List<RunningRelay> begun = new ArrayList<>();
    try {
      for (Map.Entry<String, Relay> each : all.subList(1, all.size())) {
        begun.add(start(each.getValue(), each.getKey(), time, handOverMax));
      }
      Map.Entry<String, Relay> first = all.get(0);
      RunningRelay running =
          new RunningRelay(first.getValue(), first.getKey(), time, handOverMax, begun);
      running.begin();
      return running;
    } catch (Throwable e) { // no room for another thread
      closeAll(begun);
      all.forEach(each -> each.getValue().close());
      throw e;
    }
  }

  private void begin() {
    try {
      guard.start();
      runner.start();
    } catch (Throwable e) { // no room for another thread
      end();
      throw e;
    }
  }

  /** Returns the current state of the relay; it is the owner where it has any partition. */
  public StepReport.State state() {
    boolean isOwner = beside.stream().anyMatch(each -> each.state == StepReport.State.OWNER);
    return isOwner ? StepReport.State.OWNER : state;
  }

  /** Wakes the relay after a transaction with messages has committed. Cheap; never blocks. */
  public void wake() {
    relay.wakeup().signal();
    beside.forEach(RunningRelay::wake);
  }

  /**
   * Stops the relay: it publishes nothing new, settles and saves the messages in flight, and
   * releases the lease. The next owner publishes again whatever could not be settled in time.
   * Idempotent. An interrupt ends the wait early and stays set.
   *
   * <p>Where the relay's thread is stuck, in user code or in a call to the database, this returns
   * ten seconds after the time that was given for the hand-over; the thread ends when it comes
   * back, and publishes nothing once the lease has run out. Called by the relay's own thread, as by
   * a listener, it waits for nothing.
   */
  @Override
  public void close() {
    close(STUCK);
  }

  /**
   * Stops relays at the same time, each as {@link #close()} does. It takes as long as the slowest
   * of them, not as long as all together.
   *
   * @param relays may be empty
   */
  public static void closeAll(Collection<RunningRelay> relays) {
    Map<RunningRelay, Long> begun = new LinkedHashMap<>();
    Require.nonNull("relays", relays).forEach(relay -> begun.put(relay, relay.beginClose()));
    begun.forEach((relay, since) -> relay.awaitEnd(since, STUCK));
  }

  void close(Duration stuck) {
    awaitEnd(beginClose(), stuck);
  }

  private long beginClose() {
    beside.forEach(RunningRelay::beginClose);
    closing = true;
    relay.wakeup().signal();
    return time.nanoTime();
  }

  private void awaitEnd(long since, Duration stuck) {
    beside.forEach(each -> each.awaitEnd(since, stuck));
    if (Thread.currentThread() == runner) {
      return;
    }
    try {
      long stuckMillis = MILLISECONDS.convert(stuck);
      long most = Math.min(MILLISECONDS.convert(handOverMax), FOREVER - stuckMillis) + stuckMillis;
      long waited = MILLISECONDS.convert(time.nanoTime() - since, NANOSECONDS);
      runner.join(Math.max(1, most - waited));
      if (runner.isAlive()) {
        LOG.error(
            "relay {} did not stop: its thread is stuck; another relay takes over when the lease"
                + " expires. Stack: {}",
            name,
            Arrays.stream(runner.getStackTrace()).limit(FRAMES_TOLD).toList());
      }
    } catch (InterruptedException e) {
      runner.hurry();
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!closing) {
        rest(relay.wakeup(), goOn());
      }
      handOver();
    } finally {
      end();
    }
  }

  private void end() {
    try {
      relay.close();
    } finally {
      state = StepReport.State.RELEASED;
      guardWakeup.signal();
      log.tellRest();
    }
  }

  private Duration goOn() {
    try {
      return step();
    } catch (Throwable e) { // there was no memory even to tell of a failure
      return failures.untold();
    }
  }

  private void rest(Wakeup wakeup, Duration pause) {
    if (pause.isZero() || closing) {
      return;
    }
    try {
      wakeup.await(pause);
    } catch (Throwable e) { // an interrupt, or no memory to wait with: the next step is due
      runner.forgetInterrupt();
    }
  }

  private Duration step() {
    try {
      StepReport report = relay.step();
      state = report.state();
      return report.nextIn();
    } catch (ConfigurationException e) {
      if (e.code() == ErrorCode.UNKNOWN_SUBSCRIPTION) {
        LOG.error("relay {} stopped permanently: {}", name, e.getMessage());
        closing = true;
        return Duration.ZERO;
      }
      state = StepReport.State.RECOVERING;
      return failures.refused(e);
    } catch (Throwable e) {
      state = StepReport.State.RECOVERING;
      return failures.failed(e);
    }
  }

  private void handOver() {
    long start = time.nanoTime();
    relay.handOver();
    while (state != StepReport.State.RELEASED) {
      if (runner.isHurried() || time.nanoTime() - start >= NANOSECONDS.convert(handOverMax)) {
        LOG.warn(
            "relay {} closed with messages in flight; the next owner publishes them again", name);
        return;
      }
      step();
      restInHandOver();
    }
  }

  private void restInHandOver() {
    try {
      relay.wakeup().await(Duration.ofMillis(1));
    } catch (InterruptedException e) {
      runner.forgetInterrupt();
    }
  }

  private void guard() {
    while (state != StepReport.State.RELEASED) {
      try {
        relay.abortIfLate();
        Duration left = relay.untilDeadline();
        guardWakeup.await(left.isZero() ? GUARD_PAUSE : left.plusMillis(1));
      } catch (Throwable e) {
        // Of a publisher that was closed, or its interrupt: the deadline is looked at again.
      }
    }
  }
}
