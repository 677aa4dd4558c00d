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
  private final boolean isExactlyOnce;

  /**
   * Begins with none.
   *
   * @param isExactlyOnce whether what reads the ledger publishes each message once: then no
   *     interruption accounts for another time
   */
  Interruptions(boolean isExactlyOnce) {
    this.isExactlyOnce = isExactlyOnce;
  }

  /** Notes that what was in flight may be published again: a kill, a lost lease, an outage. */
  void add(String what, Span span) {
    all.add(new Interruption(what, span));
  }

  /** Notes that the destination was asked again and did not answer: one message each time. */
  void addProbe(String relay) {
    all.add(new Interruption(relay, null));
  }

  /** Returns how much each of them accounts for. */
  List<Entry.Crashed> crashes(LedgerTables ledger) throws SQLException {
    List<LedgerTables.Stored> messages = ledger.messages();
    List<LedgerTables.Saved> saves = ledger.saves();
    List<Entry.Crashed> crashes = new ArrayList<>();
    for (Interruption each : isExactlyOnce ? List.<Interruption>of() : all) {
      Span span = each.span();
      long inFlight = span == null ? 1 : unsettled(messages, saves, span);
      crashes.add(new Entry.Crashed(each.what(), inFlight));
    }
    return crashes;
  }

  /** Counts the messages that were there by its end, and not settled by the last save before it. */
  private static long unsettled(
      List<LedgerTables.Stored> messages, List<LedgerTables.Saved> saves, Span span) {
    return saves.stream()
        .filter(save -> !save.savedAt().isAfter(span.from()))
        .reduce((earlier, later) -> later)
        .map(
            save ->
                messages.stream()
                    .filter(message -> !message.time().isAfter(span.to()))
                    .filter(save::leaves)
                    .count())
        .orElse(0L);
  }
}
