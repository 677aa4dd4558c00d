// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.context.Wakeup;
import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Handlers of 20 ms in one instance, and in three that share 12 partitions. The instances are in
 * one JVM, each with threads, connections and leases of its own, as if each were a process; so one
 * handler sees whether two of them have a key at the same time. Then what it costs that each
 * partition reads the whole ledger.
 */
final class PartitionsBenchmark {

  private static final Duration EACH = Duration.ofMillis(20);
  private static final Duration SHARING_MAX = Duration.ofSeconds(20);
  private static final int MESSAGES = 40_000;
  private static final int READ = 400_000;
  private static final int ROUNDS = 3;
  private static final int THREADS = 8;
  private static final int PARTITIONS = 12;

  private final Wish wish;
  private final Consumer<String> progress;

  PartitionsBenchmark(Wish wish, Consumer<String> progress) {
    this.wish = wish;
    this.progress = progress;
  }

  private record Way(int instances, int partitions) {

    String label() {
      return instances
          + (instances == 1 ? " instance, " : " instances, ")
          + partitions
          + (partitions == 1 ? " partition" : " partitions");
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    return new PartitionsBenchmark(wish, progress).run().report();
  }

  private Findings run() throws SQLException, InterruptedException {
    List<Way> ways = List.of(new Way(1, 1), new Way(1, PARTITIONS), new Way(3, PARTITIONS));
    Map<Way, List<Double>> rates = new LinkedHashMap<>();
    int rounds = wish.rounds(ROUNDS);
    try (Postgres server = Postgres.start()) {
      WaitingLedger ledger = WaitingLedger.empty(server);
      ledger.fill(wish.messages(MESSAGES));
      for (int round = 1; round <= rounds; round++) {
        for (Way way : ways) {
          double rate = turn(ledger, way, round);
          rates.computeIfAbsent(way, absent -> new ArrayList<>()).add(rate);
          progress.accept(
              String.format(
                  Locale.ROOT, "round %d, %s: %,.0f messages a second", round, way.label(), rate));
        }
      }
      Findings findings = findings(ledger, rounds, rates);
      int read = wish.messages(READ);
      WaitingLedger large = WaitingLedger.empty(server);
      large.fill(read);
      new PartitionsReading(server, large, read).measure(findings);
      return findings;
    }
  }

  private double turn(WaitingLedger ledger, Way way, int round)
      throws SQLException, InterruptedException {
    SlowHandler slow = new SlowHandler(EACH);
    String name = "p%d-%d-%d".formatted(way.instances(), way.partitions(), round);
    List<Outledger> instances = new ArrayList<>();
    List<RunningRelay> relays = new ArrayList<>();
    try {
      for (int i = 0; i < way.instances(); i++) {
        Outledger instance =
            Outledger.builder(ledger.dataSource())
                .relayDataSource(ledger.dataSource())
                .instance("i" + i)
                .withoutRetention()
                .build();
        instances.add(instance);
        relays.add(
            instance
                .relay(name)
                .partitions(way.partitions())
                .handlerThreads(THREADS)
                .handlerWithoutTransaction("slow", slow::handle)
                .start());
      }
      awaitAllAtWork(slow, way);
      long before = slow.handled();
      long start = System.nanoTime();
      new Wakeup().await(Duration.ofSeconds(5));
      return (slow.handled() - before) * 1e9 / (System.nanoTime() - start);
    } finally {
      slow.hurry();
      RunningRelay.closeAll(relays);
      instances.forEach(Outledger::close);
    }
  }

  /** Until the instances share: then all their threads are busy at the same time. */
  private static void awaitAllAtWork(SlowHandler slow, Way way) throws InterruptedException {
    long until = System.nanoTime() + SHARING_MAX.toNanos();
    while (slow.most() < way.instances() * THREADS && System.nanoTime() < until) {
      new Wakeup().await(Duration.ofMillis(100));
    }
    new Wakeup().await(Duration.ofSeconds(1));
  }

  private static Findings findings(WaitingLedger ledger, int rounds, Map<Way, List<Double>> rates)
      throws SQLException {
    Findings findings =
        new Findings(
            "handlers of %d ms, %d threads each, %,d keys, %d rounds, PostgreSQL %s",
            EACH.toMillis(),
            THREADS,
            WaitingLedger.KEYS,
            rounds,
            ledger.text("SHOW server_version"));
    double one = 0;
    for (Map.Entry<Way, List<Double>> each : rates.entrySet()) {
      Way way = each.getKey();
      Sample rate = Sample.of(each.getValue());
      String name = "instances" + way.instances() + "Partitions" + way.partitions();
      findings.add(name, way.label() + ", messages a second", "%,.0f", rate, "");
      one = one == 0 ? rate.median() : one;
      findings.add(name + "Times", "  times one instance", "%.2f", rate.median() / one, "");
    }
    return findings;
  }
}
