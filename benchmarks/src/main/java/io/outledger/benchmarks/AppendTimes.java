// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long a transaction lasts that appends a message and commits. */
final class AppendTimes {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int APPENDS = 1_000;
  private static final int NEARLY_ALL = 99;

  private final MeasuredDatabase database;
  private final Outledger outledger;
  private final int rounds;
  private final RandomMessages random = new RandomMessages();

  AppendTimes(MeasuredDatabase database, Outledger outledger, int rounds) {
    this.database = database;
    this.outledger = outledger;
    this.rounds = rounds;
  }

  /**
   * In turns without a relay, and beside one that has a hole to drop, and so looks for the end of
   * writers all the time. The first turn of each is not counted.
   *
   * @param isOpen whether a writer stays open beside it, so that there is such a hole
   */
  void besideARelay(boolean isOpen, Findings findings) throws SQLException {
    List<Double> alone = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      List<Double> first = appends("");
      List<Double> second = besideARelay(isOpen);
      if (round > 0) {
        alone.addAll(first);
        beside.addAll(second);
      }
    }
    String name = database.name();
    double without = Sample.of(alone).percentile(NEARLY_ALL);
    double with = Sample.of(beside).percentile(NEARLY_ALL);
    findings.add(name + "AppendP99", "  append and commit, p99, ms", "%.2f", without, "");
    findings.add(name + "AppendP99Beside", "    beside a relay, p99, ms", "%.2f", with, "the same");
  }

  private List<Double> besideARelay(boolean isOpen) throws SQLException {
    try (Connection held = database.dataSource().getConnection();
        RunningRelay relay = outledger.relay("beside").to(AnswersAtOnce.PUBLISHED).start()) {
      Await.until("it owns its lease", PATIENCE, () -> relay.state() == StepReport.State.OWNER);
      if (isOpen) {
        held.setAutoCommit(false);
        random.append(outledger, held, 1);
      }
      List<Double> times = appends("");
      if (isOpen) {
        held.rollback();
      }
      return times;
    }
  }

  /**
   * SQLite copies its log into the file every thousand pages, in the commit of whoever is there.
   */
  void withoutCheckpoints(Findings findings) throws SQLException {
    List<Double> with = new ArrayList<>();
    List<Double> without = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      with.addAll(appends("PRAGMA wal_autocheckpoint = 1000"));
      without.addAll(appends("PRAGMA wal_autocheckpoint = 0"));
    }
    String name = database.name();
    tell(name + "Checkpoints", "  append, checkpoints on", Sample.of(with), findings);
    tell(name + "NoCheckpoints", "  append, checkpoints off", Sample.of(without), findings);
  }

  private static void tell(String key, String what, Sample times, Findings findings) {
    findings.add(key + "P50", what + ", p50, ms", "%.2f", times.median(), "");
    findings.add(key + "P99", "    p99, ms", "%.2f", times.percentile(NEARLY_ALL), "");
    findings.add(key + "Max", "    the slowest, ms", "%.2f", times.max(), "");
  }

  private List<Double> appends(String setting) throws SQLException {
    List<Double> millis = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection()) {
      if (!setting.isEmpty()) {
        Sql.run(connection, setting);
      }
      connection.setAutoCommit(false);
      for (int i = 0; i < APPENDS; i++) {
        long start = System.nanoTime();
        random.append(outledger, connection, 1);
        connection.commit();
        millis.add((System.nanoTime() - start) / 1e6);
      }
    }
    return millis;
  }
}
