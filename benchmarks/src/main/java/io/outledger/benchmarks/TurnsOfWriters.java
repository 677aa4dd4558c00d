// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a writer commits beside a relay and its ledger, and turn by turn in a database with neither,
 * since others may use the disk, too.
 */
final class TurnsOfWriters {

  /** So short that what others do to the disk meets both. */
  private static final int SLICES = 10;

  private final WaitingLedger ledger;
  private final WaitingLedger empty;
  private final BacklogPlan plan;
  private final Map<String, Double> ratios = new HashMap<>();

  TurnsOfWriters(WaitingLedger ledger, WaitingLedger empty, BacklogPlan plan) {
    this.ledger = ledger;
    this.empty = empty;
    this.plan = plan;
  }

  /** Writes while the broker is up, or down. */
  void takeTurns(String broker, Findings findings) throws SQLException {
    List<Double> beside = new ArrayList<>();
    List<Double> elsewhere = new ArrayList<>();
    try (Outledger outledger = Outledger.builder(ledger.dataSource()).build()) {
      for (int slice = 0; slice <= plan.rounds() * SLICES; slice++) {
        double first = perSecond(ledger, outledger);
        double second = perSecond(empty, outledger);
        if (slice > 0) { // the first is not counted
          beside.add(first);
          elsewhere.add(second);
        }
      }
    }
    Sample here = Sample.of(beside);
    Sample there = Sample.of(elsewhere);
    double ratio = here.median() / there.median();
    ratios.put(broker, ratio);
    String words = "writer, broker " + broker + ", commits a second";
    findings.add("writer-" + broker, words, "%,.0f", here, "");
    findings.add("writerElsewhere-" + broker, "  turn by turn elsewhere", "%,.0f", there, "");
    findings.add("writerRatio-" + broker, "  of elsewhere", "%.2f", ratio, "");
  }

  private double perSecond(WaitingLedger where, Outledger outledger) throws SQLException {
    return new BusyWriter(where).write(outledger, plan.turn().dividedBy(SLICES)).perSecond();
  }

  /** Tells how much slower writing is while the broker is down. */
  void compare(Findings findings) {
    findings.add(
        "writerDownOfUp", "writer, down of up", "%.2f", ratio("down") / ratio("up"), ">= 0.90");
  }

  private double ratio(String broker) {
    return Objects.requireNonNull(ratios.get(broker), "nobody has written yet");
  }
}
