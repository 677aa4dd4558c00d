// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How fast one relay drains what has just been appended: in a new ledger, behind settled messages,
 * while somebody holds a snapshot, and while a writer stays open.
 */
final class SteadyDrains {

  private final MeasuredDatabase database;
  private final Outledger outledger;
  private final SteadyBenchmark.Plan plan;
  private final RandomMessages random = new RandomMessages();
  private final AtomicLong published = new AtomicLong();

  SteadyDrains(MeasuredDatabase database, Outledger outledger, SteadyBenchmark.Plan plan) {
    this.database = database;
    this.outledger = outledger;
    this.plan = plan;
  }

  /**
   * Measures.
   *
   * @param isShared whether a writer can stay open beside others
   */
  void measure(boolean isShared, Findings findings) throws SQLException {
    String name = database.name();
    try (Relay relay =
        outledger.relay("steady").to(AnswersAtOnce.PUBLISHED).listener(this::hear).build()) {
      drain(relay); // is not counted: it is when the JVM compiles, and what was appended before
      Sample fresh = drains(relay);
      findings.add(name + "Fresh", "  drain, messages a second", "%,.0f", fresh, "");
      random.append(outledger, database.dataSource(), plan.settled());
      step(relay, plan.settled());
      tell("Settled", "    behind settled messages, of fresh", drains(relay), fresh, findings);
      try (Connection held = database.dataSource().getConnection()) {
        database.holdSnapshot(held);
        tell("Snapshot", "    a snapshot held, of fresh", drains(relay), fresh, findings);
        findings.add(
            name + "LeftBehind", "      " + database.leftBehind(), "%,.0f", database.left(), "");
      }
      if (isShared) {
        try (Connection held = database.dataSource().getConnection()) {
          held.setAutoCommit(false);
          random.append(outledger, held, 1);
          tell("Writer", "    a writer open, of fresh", drains(relay), fresh, findings);
          held.rollback();
        }
      }
    }
  }

  private void tell(String key, String what, Sample aged, Sample fresh, Findings findings) {
    double ratio = aged.median() / fresh.median();
    findings.add(database.name() + key, what, "%.2f", ratio, ">= 0.90");
  }

  private Sample drains(Relay relay) throws SQLException {
    List<Double> perSecond = new ArrayList<>();
    for (int round = 0; round < plan.rounds(); round++) {
      perSecond.add(drain(relay));
    }
    return Sample.of(perSecond);
  }

  private double drain(Relay relay) throws SQLException {
    random.append(outledger, database.dataSource(), plan.messages());
    long start = System.nanoTime();
    step(relay, plan.messages());
    return plan.messages() * 1e9 / (System.nanoTime() - start);
  }

  private void step(Relay relay, int messages) {
    long target = published.get() + messages;
    while (published.get() < target) {
      relay.step();
    }
  }

  private void hear(RelayEvent event) {
    if (event instanceof RelayEvent.Saved saved) {
      published.addAndGet(saved.published());
    }
  }
}
