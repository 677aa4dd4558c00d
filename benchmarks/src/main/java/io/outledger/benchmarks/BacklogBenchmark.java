// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.util.function.Consumer;

/**
 * A broker that is down while millions of messages come, and then is back: what it costs meanwhile,
 * and how fast, in which order and in how much memory all are delivered.
 */
final class BacklogBenchmark {

  private final BacklogPlan plan;
  private final Consumer<String> progress;

  BacklogBenchmark(BacklogPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    return new BacklogBenchmark(BacklogPlan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException, InterruptedException {
    try (Postgres server = Postgres.builder().setting("max_wal_size", "4GB").start();
        Broker broker = plan.isKafka() ? new StoppedKafka() : new SwitchedBroker()) {
      return new BrokerOutage(plan, progress, server, broker).run();
    }
  }
}
