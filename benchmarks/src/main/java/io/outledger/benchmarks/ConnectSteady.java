// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.context.Wakeup;
import io.outledger.servers.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** One side that keeps up with an application: first without any messages, then at a rate. */
final class ConnectSteady {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration PROBE = Duration.ofMillis(500);
  // With a load behind it, a JVM still compiles.
  private static final Duration SETTLING = Duration.ofSeconds(20);
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final double PERCENT = 100;

  private final ConnectServers servers;
  private final ConnectSide side;
  private final ConnectPlan plan;
  private final Map<Integer, Long> arrivals = CommittedRecords.arrivals();

  ConnectSteady(ConnectServers servers, ConnectSide side, ConnectPlan plan) {
    this.servers = servers;
    this.side = side;
    this.plan = plan;
  }

  /**
   * What came of it.
   *
   * @param idle percents of a core without messages
   * @param without the same after what was begun has ended
   * @param millis from each commit to the consumer
   * @param cpu microseconds of processor time a message at the rate, with what idling takes
   * @param memory of the side's process after all that
   */
  record Kept(
      ConnectServers.Cpu idle,
      ConnectServers.Cpu without,
      Sample millis,
      ConnectServers.Cpu cpu,
      ProcessMemory memory) {}

  private record Busy(Sample millis, ConnectServers.Cpu cpu) {}

  Kept run(String turn) throws SQLException, InterruptedException {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    AtomicBoolean isOver = new AtomicBoolean();
    try (TopicOfRecords topic = TopicOfRecords.create(servers.broker(), turn);
        SmallPool pool = new SmallPool(servers.ledger().jdbcUrl());
        Outledger outledger = Outledger.builder(pool).withoutRetention().build()) {
      side.begin(turn, topic.name(), false);
      awaitFirst(topic, new RatedWriter(outledger, plan.rate()));
      thread.execute(() -> new CommittedRecords(topic).watch(arrivals, isOver::get));
      Busy busy = busy(new RatedWriter(outledger, plan.rate()));
      isOver.set(true);
      thread.shutdown();
      Await.until("the consumer ends", PATIENCE, thread::isTerminated);
      // Idle after its work: a side that has been idle for hours runs compiled code.
      ConnectServers.Cpu idle = idle(servers, side.pid(), plan.idle());
      ProcessMemory memory = ProcessMemory.of(side.pid());
      side.end();
      return new Kept(
          idle, idle(servers, side.pid(), plan.idle()), busy.millis(), busy.cpu(), memory);
    } finally {
      isOver.set(true);
      thread.shutdownNow();
    }
  }

  /** Commits messages until one comes, with the number -1, which is not measured. */
  private void awaitFirst(TopicOfRecords topic, RatedWriter writer) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Map<Integer, Long> first = CommittedRecords.arrivals();
    new CommittedRecords(topic).watch(first, new Probe(writer, first, deadline)::isOver);
  }

  /** Each half second a message, as long as none has come. */
  private final class Probe {

    private final RatedWriter writer;
    private final Map<Integer, Long> first;
    private final long deadline;
    private long next;

    Probe(RatedWriter writer, Map<Integer, Long> first, long deadline) {
      this.writer = writer;
      this.first = first;
      this.deadline = deadline;
      this.next = System.nanoTime();
    }

    boolean isOver() {
      if (!first.isEmpty()) {
        return true;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(side.text() + " sends nothing");
      }
      if (System.nanoTime() >= next) {
        side.check();
        writer.commit(-1);
        next += PROBE.toNanos();
      }
      return false;
    }
  }

  /** Returns the percents of a core that a process and the servers take. */
  static ConnectServers.Cpu idle(ConnectServers servers, long pid, Duration time)
      throws InterruptedException {
    new Wakeup().await(SETTLING);
    ConnectServers.Cpu before = servers.cpu(pid);
    long start = System.nanoTime();
    new Wakeup().await(time);
    double seconds = (System.nanoTime() - start) / 1e9;
    return servers.cpu(pid).since(before, PERCENT / seconds);
  }

  private Busy busy(RatedWriter writer) throws InterruptedException {
    int warmUp = messages(WARM_UP);
    int count = warmUp + messages(plan.latency());
    ConnectServers.Cpu before = servers.cpu(side.pid());
    List<Long> committed = writer.write(count);
    Await.until(
        () -> arrivals.size() + " of " + count + " messages arrive",
        PATIENCE,
        () -> arrivals.keySet().stream().filter(number -> number >= 0).count() == count);
    ConnectServers.Cpu cpu = servers.cpu(side.pid()).since(before, 1e6 / count);
    List<Double> millis = new ArrayList<>();
    for (int i = warmUp; i < count; i++) {
      millis.add((arrivals.getOrDefault(i, 0L) - committed.get(i)) / 1e3);
    }
    return new Busy(Sample.of(millis), cpu);
  }

  private int messages(Duration duration) {
    return Math.toIntExact(duration.toMillis() * plan.rate() / 1_000);
  }
}
