// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.chaos.history.Entry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * All that may have made the relay of one ledger publish something again. How much that can be is
 * counted afterwards: the cursor's rows tell how far the relay had come by then. Thread-safe.
 */
final class Interruptions {

  private record Interruption(String what, Span span, boolean isProbe) {}

  private final Queue<Interruption> all = new ConcurrentLinkedQueue<>();

  /** Notes that what was in flight may be published again: a kill, a lost lease, an outage. */
  void add(String what, Span span) {
    all.add(new Interruption(what, span, false));
  }

  /** Notes that the destination was asked and did not answer: one message each time. */
  void addProbe(String relay, Span span) {
    all.add(new Interruption(relay, span, true));
  }

  /** Returns how much each of them accounts for. */
  List<Entry.Crashed> crashes(Database database) throws SQLException {
    List<Entry.Crashed> crashes = new ArrayList<>();
    for (Interruption each : all) {
      long inFlight = each.isProbe() ? 1 : unsettled(database, each.span());
      crashes.add(new Entry.Crashed(each.what(), inFlight));
    }
    return crashes;
  }

  private static long unsettled(Database database, Span span) throws SQLException {
    return database.number(
        """
        SELECT count(*)
          FROM outledger_message m,
               (SELECT high, open_first, open_last FROM outledger_cursor
                 WHERE subscription = '%s' AND saved_at <= '%s'
                 ORDER BY n DESC LIMIT 1) c
         WHERE m.time <= '%s'
           AND (m.position > c.high
                OR EXISTS (SELECT FROM unnest(c.open_first, c.open_last) AS o (first, last)
                            WHERE m.position BETWEEN o.first AND o.last))
        """
            .formatted(Ledger.SUBSCRIPTION, span.from(), span.to()));
  }
}
