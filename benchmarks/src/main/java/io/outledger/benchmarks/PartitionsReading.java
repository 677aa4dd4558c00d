// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.servers.CpuTime;
import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.time.Duration;

/**
 * What it costs that each partition reads the whole ledger: the processor time of a drain whose
 * destination answers at once, with one partition and with many.
 *
 * @param messages how many wait in the ledger
 */
record PartitionsReading(Postgres server, WaitingLedger ledger, int messages) {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int FEW = 1;
  private static final int MANY = 12;

  /** Microseconds of processor time a message. */
  private record Cost(double database, double process) {}

  void measure(Findings findings) {
    drain(MANY, "warm-up"); // the JVM compiles
    Cost few = drain(FEW, "few");
    Cost many = drain(MANY, "many");
    add(findings, FEW, few);
    add(findings, MANY, many);
    findings.title("reading", "each further partition reads a message of the others in");
    add(
        findings,
        "readingFurther",
        new Cost(
            (many.database() - few.database()) / (MANY - FEW),
            (many.process() - few.process()) / (MANY - FEW)));
  }

  private static void add(Findings findings, int partitions, Cost cost) {
    String name = "reading" + partitions;
    String text =
        "a message read by %d %s"
            .formatted(partitions, partitions == 1 ? "partition" : "partitions");
    findings.title(name, text);
    add(findings, name, cost);
  }

  private static void add(Findings findings, String name, Cost cost) {
    findings.add(name + "Database", "  us of the database", "%.2f", cost.database(), "");
    findings.add(name + "Process", "  us of the process", "%.2f", cost.process(), "");
  }

  private Cost drain(int partitions, String name) {
    double database = CpuTime.seconds(server.pid());
    double process = CpuTime.ownSeconds();
    try (Outledger instance =
            Outledger.builder(ledger.dataSource())
                .relayDataSource(ledger.dataSource())
                .withoutRetention()
                .build();
        RunningRelay relay =
            instance.relay(name).partitions(partitions).to(AnswersAtOnce.PUBLISHED).start()) {
      Await.until(
          () -> name + " has read all; it is " + relay.state(),
          PATIENCE,
          () -> isThrough(name, partitions));
    }
    return new Cost(
        micros(CpuTime.seconds(server.pid()) - database), micros(CpuTime.ownSeconds() - process));
  }

  private boolean isThrough(String name, int partitions) {
    try {
      return ledger
          .text(
              "SELECT count(*) FROM outledger_lag WHERE behind = 0 AND subscription = '"
                  + name
                  + "'")
          .equals(String.valueOf(partitions));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private double micros(double seconds) {
    return seconds * 1e6 / messages;
  }
}
