// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.chaos.history.Entry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * All that may have made the relay of one ledger publish something again. How much that can be is
 * counted afterwards: the cursor's rows tell how far the relay had come by then. Thread-safe.
 */
final class Interruptions {

  /** One of them; a probe has no span. */
  private record Interruption(String what, @Nullable Span span) {}

  private final Queue<Interruption> all = new ConcurrentLinkedQueue<>();

  /** Notes that what was in flight may be published again: a kill, a lost lease, an outage. */
  void add(String what, Span span) {
    all.add(new Interruption(what, span));
  }

  /** Notes that the destination was asked again and did not answer: one message each time. */
  void addProbe(String relay) {
    all.add(new Interruption(relay, null));
  }

  /** Returns how much each of them accounts for. */
  List<Entry.Crashed> crashes(Database database) throws SQLException {
    List<Entry.Crashed> crashes = new ArrayList<>();
    for (Interruption each : all) {
      Span span = each.span();
      long inFlight = span == null ? 1 : unsettled(database, span);
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
