// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.servers.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** New subscriptions of one ledger that read it all at the same time, each on a relay's thread. */
final class Followers {

  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final WaitingLedger ledger;
  private final String prefix;
  private final int count;

  /**
   * Makes them.
   *
   * @param prefix of their names, which nobody has used
   */
  Followers(WaitingLedger ledger, String prefix, int count) {
    this.ledger = ledger;
    this.prefix = prefix;
    this.count = count;
  }

  /**
   * What was measured.
   *
   * @param perSecond messages a second, of all subscriptions together
   * @param each messages a second of one subscription, from the common start to its own end
   * @param saves of all together
   * @param polls of all together: walks along the ledger's index
   * @param connections at the end, when all were still open
   */
  record Followed(double perSecond, Sample each, long saves, long polls, long connections) {}

  /** Counts what a subscription has saved as published, and notes when it has everything. */
  private static final class Progress implements RelayListener {

    private final long wanted;
    private long published;
    private volatile long doneAt;

    private Progress(long wanted) {
      this.wanted = wanted;
    }

    @Override
    public void on(RelayEvent event) {
      if (event instanceof RelayEvent.Saved saved) {
        published += saved.published();
        if (published == wanted) {
          doneAt = System.nanoTime();
        }
      }
    }
  }

  Followed follow(int messages) throws SQLException {
    List<Progress> all = new ArrayList<>();
    long pollsBefore = ledger.indexScans();
    long start = System.nanoTime();
    long connections;
    try (Outledger outledger = Outledger.builder(ledger.dataSource()).build()) {
      for (int i = 0; i < count; i++) {
        Progress progress = new Progress(messages);
        all.add(progress);
        outledger.relay(prefix + i).to(AnswersAtOnce.PUBLISHED).listener(progress).start();
      }
      Await.until(
          "all have everything",
          PATIENCE,
          () -> all.stream().allMatch(progress -> progress.doneAt != 0));
      connections = connections();
    }
    // Backends tell what they have done when they end.
    Await.until("all backends have ended", PATIENCE, () -> connections() == 0);
    long polls = ledger.indexScans() - pollsBefore;
    long end = all.stream().mapToLong(progress -> progress.doneAt).max().orElseThrow();
    Sample each =
        Sample.of(all.stream().map(one -> messages * 1e9 / (one.doneAt - start)).toList());
    double perSecond = (double) count * messages * 1e9 / (end - start);
    return new Followed(perSecond, each, saves(), polls, connections);
  }

  private long saves() throws SQLException {
    return ledger.number(
        "SELECT sum(n)::bigint FROM (SELECT max(n) AS n FROM outledger_cursor WHERE subscription"
            + " LIKE '"
            + prefix
            + "%' GROUP BY subscription) newest");
  }

  private long connections() throws SQLException {
    return ledger.number(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'outledger relay "
            + prefix
            + "%'");
  }
}
