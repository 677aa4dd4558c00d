// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.relay.context.Wakeup;
import io.outledger.servers.Await;
import io.outledger.servers.CpuTime;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;

/** Which part of a core a relay takes that has nothing to do. */
final class IdleShare {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String IDLE = "idle";
  private static final int WARM_UP_POLLS = 20_000;
  private static final double PERCENT = 100;

  private final MeasuredDatabase database;
  private final Outledger outledger;

  IdleShare(MeasuredDatabase database, Outledger outledger) {
    this.database = database;
    this.outledger = outledger;
  }

  /** What the server takes without a relay is subtracted. */
  void measure(Duration time, Findings findings) throws InterruptedException {
    warmUp();
    Taken without = during(time);
    Taken with;
    try (RunningRelay relay = outledger.relay(IDLE).to(AnswersAtOnce.PUBLISHED).start()) {
      Await.until("it owns its lease", PATIENCE, () -> relay.state() == StepReport.State.OWNER);
      with = during(time);
    }
    String name = database.name();
    findings.add(name + "IdleJvm", "  idle relay, of a core", "%.2f %%", with.jvm(), "<= 1 %");
    if (database.serverPid().isPresent()) {
      double server = Math.max(0, with.server() - without.server());
      findings.add(name + "IdleServer", "    its server", "%.2f %%", server, "<= 1 %");
    }
  }

  /** A relay that has been idle for hours runs compiled code. */
  private void warmUp() throws InterruptedException {
    try (Relay relay = outledger.relay(IDLE).to(AnswersAtOnce.PUBLISHED).build()) {
      relay.drain(PATIENCE);
    }
    try (Relay relay = outledger.relay(IDLE).to(AnswersAtOnce.PUBLISHED).build()) {
      for (int i = 0; i < WARM_UP_POLLS; i++) {
        relay.step();
      }
      relay.drain(PATIENCE); // gives the lease back
    }
  }

  /** Percents of a core. */
  private record Taken(double jvm, double server) {}

  private Taken during(Duration time) throws InterruptedException {
    double relayBefore = relaySeconds();
    double serverBefore = serverSeconds();
    long start = System.nanoTime();
    new Wakeup().await(time);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Taken(
        PERCENT * (relaySeconds() - relayBefore) / seconds,
        PERCENT * (serverSeconds() - serverBefore) / seconds);
  }

  private double serverSeconds() {
    OptionalLong pid = database.serverPid();
    return pid.isPresent() ? CpuTime.seconds(pid.getAsLong()) : 0;
  }

  private static double relaySeconds() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
            .filter(thread -> thread != null && thread.getThreadName().startsWith("outledger-"))
            .mapToLong(thread -> threads.getThreadCpuTime(thread.getThreadId()))
            .sum()
        / 1e9;
  }
}
