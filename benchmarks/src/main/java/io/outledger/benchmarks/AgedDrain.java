// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A subscription with a burden that first catches up, and then drains a backlog against time;
 * afterwards the application saves, against time too.
 */
final class AgedDrain {

  private static final Duration PATIENCE = Duration.ofMinutes(30);

  /** For holes to age, which takes a few seconds. */
  private static final Duration REST = Duration.ofSeconds(10);

  private final Postgres server;
  private final Burden burden;
  private final AgeingPlan plan;

  AgedDrain(Postgres server, Burden burden, AgeingPlan plan) {
    this.server = server;
    this.burden = burden;
    this.plan = plan;
  }

  /**
   * What was measured.
   *
   * @param perSecond messages a second
   * @param polls how often the relay looked in a second once there was nothing more to do
   * @param save how long transactions took
   */
  record Drained(double perSecond, double polls, SaveTime save) {}

  Drained run() throws SQLException {
    WaitingLedger ledger = WaitingLedger.empty(server);
    AtomicLong published = new AtomicLong();
    try (Connection held = ledger.connect();
        Outledger outledger = Outledger.builder(ledger.dataSource()).build();
        Relay relay =
            outledger
                .relay("aged")
                .to(AnswersAtOnce.PUBLISHED)
                .options(options -> options.polling(p -> p.withPageMessagesMax(RelayPlan.PAGE)))
                .listener(event -> count(event, published))
                .build()) {
      held.setAutoCommit(false);
      burden.lay(ledger, held, plan);
      catchUp(relay);
      ledger.fill(plan.messages());
      Drained drained = drain(relay, published, ledger);
      held.rollback();
      return drained;
    }
  }

  private static void count(RelayEvent event, AtomicLong published) {
    if (event instanceof RelayEvent.Saved saved) {
      published.addAndGet(saved.published());
    }
  }

  private void catchUp(Relay relay) {
    long start = System.nanoTime();
    Duration rest = burden == Burden.WRITER ? REST : Duration.ZERO;
    Await.until(
        "it has caught up",
        PATIENCE,
        () -> {
          StepReport report = relay.step();
          while (!report.nextIn().isNegative() && report.nextIn().isZero()) {
            report = relay.step();
          }
          return System.nanoTime() - start >= rest.toNanos();
        });
  }

  private Drained drain(Relay relay, AtomicLong published, WaitingLedger ledger)
      throws SQLException {
    long target = published.get() + plan.messages();
    long start = System.nanoTime();
    while (published.get() < target) {
      relay.step();
    }
    double perSecond = plan.messages() * 1e9 / (System.nanoTime() - start);
    long idleSince = System.nanoTime();
    int polls = 0;
    while (System.nanoTime() - idleSince < 1_000_000_000L) {
      relay.step();
      polls++;
    }
    double pollsPerSecond = polls * 1e9 / (System.nanoTime() - idleSince);
    return new Drained(perSecond, pollsPerSecond, AgedSave.measure(ledger, plan.saveMillis()));
  }
}
