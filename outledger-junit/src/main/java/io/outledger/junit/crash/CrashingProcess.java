// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.publish.Publisher;
import io.outledger.relay.DrainReport;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * A process that a crash test can stop. The application reaches its database, its publishers and
 * whatever else counts through it. Each statement that writes, each commit, each message published
 * and each effect is a step. When the process crashes, its connections are cut, open transactions
 * are rolled back, and nothing that the application still does leaves the process. Thread-safe.
 */
public final class CrashingProcess {

  private static final Duration LONGER_THAN_A_LEASE = Duration.ofMinutes(10);
  private static final int ROUNDS_MAX = 20;

  private final CrashSteps steps;
  private final Outside outside;
  private final SettableClock clock;

  CrashingProcess(CrashSteps steps, Outside outside, SettableClock clock) {
    this.steps = steps;
    this.outside = outside;
    this.clock = clock;
  }

  /**
   * Returns a data source whose connections are cut when the process crashes. Each statement that
   * writes and each commit of a transaction that has written is a step.
   *
   * @param database the real data source, which is not closed
   */
  public DataSource dataSource(DataSource database) {
    return new CrashingDataSource(Require.nonNull("database", database), steps);
  }

  /**
   * Returns a publisher that records what arrives. The moments before a message is handed over, and
   * between its arrival and its acknowledgement, are steps. A message that is published again after
   * a crash counts once; two messages with different ids count twice.
   *
   * @param publisher where the messages really go
   */
  public Publisher publisher(Publisher publisher) {
    return new CrashingPublisher(
        Require.nonNull("publisher", publisher), steps, outside::published);
  }

  /** Returns a publisher to a broker in memory, which {@link #consume} reads. */
  public Publisher broker() {
    return new CrashingPublisher(new BrokerInMemory(outside), steps, outside::published);
  }

  /**
   * Hands a consumer what it has not acknowledged of {@link #broker()}, message by message, as a
   * broker does. The moments before a message is received and before it is acknowledged are steps;
   * after a crash the consumer receives again what it has not acknowledged.
   *
   * @param consumer the consumer's name at the broker
   * @param handler the consumer
   * @throws Exception what the handler throws
   */
  public void consume(String consumer, BatchHandler handler) throws Exception {
    Require.nonNull("handler", handler);
    Message next = outside.next(Require.nonNull("consumer", consumer));
    while (next != null) {
      String name = Outside.name(next.type(), next.version(), next.topic(), next.key());
      steps.takeOrThrow("before " + consumer + " receives " + name);
      handler.handle(List.of(Received.of("broker", next)));
      steps.takeOrThrow("before " + consumer + " acknowledges " + name);
      outside.acknowledge(consumer);
      next = outside.next(consumer);
    }
  }

  /**
   * Records an effect outside the database that must happen exactly once. The moments before and
   * after it are steps.
   *
   * @param name what happened, the same in each run, such as {@code "mail to ada"}
   */
  public void effect(String name) {
    steps.takeOrThrow("before the effect " + Require.nonNull("name", name));
    outside.effect(name);
    steps.takeOrThrow("after the effect " + name);
  }

  /**
   * Records an effect outside the database that must happen and may happen again, because whoever
   * receives it recognises it, by an idempotency key. The moments before and after it are steps.
   *
   * @param name what happened, the same in each run
   */
  public void repeatableEffect(String name) {
    steps.takeOrThrow("before the effect " + Require.nonNull("name", name));
    outside.repeatableEffect(name);
    steps.takeOrThrow("after the effect " + name);
  }

  /**
   * Adds a step of the application's own, at which the process can crash.
   *
   * @param name what the application is doing, the same in each run
   */
  public void step(String name) {
    steps.takeOrThrow("at " + Require.nonNull("name", name));
  }

  /**
   * Returns the clock of this run. It stands still, except that {@link #drain} moves it past the
   * lease of a process that has crashed. Give it to {@code Outledger.builder(…).time(…)}.
   */
  public SettableClock clock() {
    return clock;
  }

  /**
   * Builds a relay, lets it publish and handle everything that is pending, and closes it. Where a
   * crashed process owns the subscription, the {@link #clock()} is moved past its lease, so {@code
   * Outledger.builder(…).time(process.clock())} is required.
   *
   * @param relay the relay
   * @throws InterruptedException where the thread was interrupted
   * @throws AssertionError where the relay cannot finish, because its database or destination fails
   */
  public void drain(RelayBuilder relay) throws InterruptedException {
    DrainLimit limit = new DrainLimit();
    try (Relay built = Require.nonNull("relay", relay).listener(limit).build()) {
      limit.ends(built);
      if (built.step().state() == StepReport.State.STANDBY) {
        clock.advance(LONGER_THAN_A_LEASE);
      }
      DrainReport report = built.drain(Duration.ofMinutes(1));
      for (int round = 0; goesOn(report) && round < ROUNDS_MAX; round++) {
        limit.check();
        if (report.state() != StepReport.State.RELEASED) {
          clock.advance(LONGER_THAN_A_LEASE);
        }
        report = built.drain(Duration.ofMinutes(1));
      }
      if (goesOn(report)) {
        limit.checkProgress(report);
        throw new AssertionError("The relay could not publish everything: " + report);
      }
    }
    if (steps.hasCrashed()) {
      throw new CrashError("while a relay was drained");
    }
  }

  /** A handler may have appended more. */
  private boolean goesOn(DrainReport report) {
    boolean isDone = report.state() == StepReport.State.RELEASED && report.published() == 0;
    return !isDone && !steps.hasCrashed();
  }
}
