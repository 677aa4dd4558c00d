// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.publish.Publisher;
import io.outledger.relay.DrainReport;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** A new subscription that publishes everything in the ledger, saves, and hands over. */
final class RelayDrain {

  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final WaitingLedger ledger;
  private final String subscription;
  private final Publisher publisher;

  RelayDrain(WaitingLedger ledger, String subscription, Publisher publisher) {
    this.ledger = ledger;
    this.subscription = subscription;
    this.publisher = publisher;
  }

  /**
   * What a drain took.
   *
   * @param perSecond messages a second, from the first statement to the lease given back
   * @param heapMib the most that was in use after a collection
   * @param walBytes what the server wrote to its log meanwhile
   * @param saves how many cursor rows the subscription has
   */
  record Drained(double perSecond, double heapMib, long walBytes, long saves) {}

  Drained run() throws SQLException, InterruptedException {
    long walBefore = ledger.walBytes();
    long start = System.nanoTime();
    DrainReport report;
    double seconds;
    double heapMib;
    try (HeapPeak heap = HeapPeak.watch()) {
      report = drain();
      seconds = (System.nanoTime() - start) / 1e9;
      heapMib = heap.mib();
    }
    long wal = ledger.walBytes() - walBefore;
    // It also gives its lease back where the destination is away.
    if (report.state() != StepReport.State.RELEASED
        || report.published() < ledger.number("SELECT count(*) FROM outledger_message")) {
      throw new IllegalStateException("the relay did not finish: " + report);
    }
    long saves =
        ledger.number(
            "SELECT max(n) FROM outledger_cursor WHERE subscription = '" + subscription + "'");
    return new Drained(report.published() / seconds, heapMib, wal, saves);
  }

  private DrainReport drain() throws InterruptedException {
    DataSource dataSource = ledger.dataSource();
    try (Outledger outledger = Outledger.builder(dataSource).build();
        Relay relay =
            outledger
                .relay(subscription)
                .to(publisher)
                .options(options -> options.polling(p -> p.withPageMessagesMax(RelayPlan.PAGE)))
                .build()) {
      return relay.drain(PATIENCE);
    }
  }
}
