// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** How long it takes from a roll-back until a running relay has dropped its hole. */
final class HoleTimes {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final MeasuredDatabase database;
  private final Outledger outledger;
  private final RandomMessages random = new RandomMessages();
  private final AtomicLong published = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong droppedAt = new AtomicLong();

  HoleTimes(MeasuredDatabase database, Outledger outledger) {
    this.database = database;
    this.outledger = outledger;
  }

  /** Drops so many holes, one after the other. */
  void measure(int holes, Findings findings) throws SQLException {
    List<Double> seconds = new ArrayList<>();
    try (RunningRelay relay =
        outledger.relay("holes").to(AnswersAtOnce.PUBLISHED).listener(this::hear).start()) {
      Await.until("it owns its lease", PATIENCE, () -> relay.state() == StepReport.State.OWNER);
      for (int hole = 0; hole < holes; hole++) {
        seconds.add(one());
      }
    }
    Sample all = Sample.of(seconds);
    String name = database.name();
    findings.add(name + "HoleP50", "  hole dropped, p50, s", "%.2f", all.median(), "<= 2.5");
    findings.add(name + "HoleMax", "    the slowest, s", "%.2f", all.max(), "");
  }

  private void hear(RelayEvent event) {
    if (event instanceof RelayEvent.Saved saved) {
      published.addAndGet(saved.published());
    } else if (event instanceof RelayEvent.HolesDropped) {
      droppedAt.set(System.nanoTime());
      dropped.incrementAndGet();
    }
  }

  /** A number is drawn, a later one is committed and published, and the first is rolled back. */
  private double one() throws SQLException {
    long dropsBefore = dropped.get();
    long publishedBefore = published.get();
    long rolledBackAt;
    try (Connection lost = begin();
        Connection kept = begin()) {
      random.append(outledger, lost, 1);
      random.append(outledger, kept, 1);
      kept.commit();
      Await.until("it is published", PATIENCE, () -> published.get() > publishedBefore);
      rolledBackAt = System.nanoTime();
      lost.rollback();
    }
    Await.until("its hole is dropped", PATIENCE, () -> dropped.get() > dropsBefore);
    return (droppedAt.get() - rolledBackAt) / 1e9;
  }

  private Connection begin() throws SQLException {
    Connection connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }
}
