// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.DueMessages.Row;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduled messages that could not enter the ledger. Each waits, and is tried again after
 * {@link #RETRY}: what keeps it out may be corrected meanwhile. It is tried behind all that was
 * never refused, so that the others get their turn however many it refuses. A message is to blame
 * only if another one gets through in the same pass; where none does, the ledger refuses them all.
 * For one thread.
 */
final class RefusedMessages {

  /** How long until a message that was refused is tried again. */
  static final Duration RETRY = Duration.ofSeconds(30);

  /** How long until one is forgotten that is refused no more: it has moved, or was cancelled. */
  static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private static final Logger LOG = LoggerFactory.getLogger(RefusedMessages.class);
  private static final int IN_A_ROW_MAX = 32;
  private static final int DOUBLINGS_MAX = 10;

  private final TimeSource time;
  private final Map<Row, Refusal> refusals = new HashMap<>();
  private final Map<Row, String> suspects = new LinkedHashMap<>();
  private int inARow;
  private @Nullable StoreException last;
  private @Nullable Row failedFirst;
  private boolean isOthersMoved;

  RefusedMessages(TimeSource time) {
    this.time = time;
  }

  /** Begins a pass, and returns the rows that were refused before. */
  Set<Row> begin() {
    suspects.clear();
    inARow = 0;
    last = null;
    isOthersMoved = false;
    long now = time.nanoTime();
    refusals.values().removeIf(each -> now - each.refusedAt >= FORGOTTEN.toNanos());
    return new HashSet<>(refusals.keySet());
  }

  /**
   * Returns the rows that are not tried yet where others are tried again, of which no more than
   * some are at a time, in turn, also where an earlier one is there no more; empty where none is.
   */
  Optional<Set<Row>> again() {
    long now = time.nanoTime();
    Set<Row> waiting = new HashSet<>(refusals.keySet());
    List<Map.Entry<Row, Refusal>> turn =
        refusals.entrySet().stream()
            .filter(each -> now - each.getValue().triedAt >= RETRY.toNanos())
            .sorted(Comparator.comparingLong(each -> each.getValue().triedAt - now))
            .limit(IN_A_ROW_MAX)
            .toList();
    for (Map.Entry<Row, Refusal> each : turn) {
      waiting.remove(each.getKey());
      each.getValue().triedAt = now;
    }
    return waiting.size() < refusals.size() ? Optional.of(waiting) : Optional.empty();
  }

  /**
   * Takes note of a batch that has failed; returns whether it begins with the same row as the one
   * that failed before, also in an earlier pass.
   *
   * @param tried the rows of the batch, in order; where there is none, nothing is noted
   */
  boolean meet(List<Row> tried) {
    Row before = failedFirst;
    if (tried.isEmpty()) {
      return false;
    }
    failedFirst = tried.get(0);
    return failedFirst.equals(before);
  }

  /** Takes note that the ledger has refused a message. */
  void add(Row row, StoreException why) {
    refused(row);
    last = why;
    inARow++;
    suspects.put(row, String.valueOf(why.getMessage()));
    if (isOthersMoved) {
      blame();
    }
  }

  /**
   * Returns how many of those behind the last one that was refused need not be tried in this pass:
   * none, unless many were refused in a row; then ever more, so that one which the ledger takes is
   * found by few attempts, however far off it is.
   */
  int leap() {
    int more = inARow - IN_A_ROW_MAX;
    return more < 0 ? 0 : IN_A_ROW_MAX << Math.min(more, DOUBLINGS_MAX);
  }

  /** Takes note that a row is no message, whatever the ledger takes. */
  void addUnreadable(Row row, String why) {
    refused(row);
    tell(row, "its row cannot be read: " + why);
  }

  /** Takes note that other messages have entered the ledger: so it was those that were refused. */
  void others() {
    isOthersMoved = true;
    inARow = 0;
    blame();
  }

  /**
   * Ends a pass.
   *
   * @throws StoreException why messages were refused, if none was taken
   */
  void requireOthers() {
    StoreException why = last;
    if (why != null && !isOthersMoved) {
      throw why;
    }
  }

  private void blame() {
    suspects.forEach(this::tell);
    suspects.clear();
  }

  private void refused(Row row) {
    Refusal refusal = refusals.computeIfAbsent(row, any -> new Refusal());
    refusal.refusedAt = time.nanoTime();
    refusal.triedAt = refusal.refusedAt;
  }

  private void tell(Row row, String why) {
    Refusal refusal = Objects.requireNonNull(refusals.get(row));
    if (refusal.isTold) {
      return;
    }
    refusal.isTold = true;
    LOG.error(
        "the scheduled message with number {} of outledger_scheduled cannot enter the ledger, so it"
            + " and what is due after it with its key wait; it is tried again every {} seconds."
            + " Cancel it, or correct what keeps it out: {}",
        row.number(),
        RETRY.toSeconds(),
        Printable.text(why));
  }

  /** When a message was refused last, and when it had its turn since. */
  private static final class Refusal {
    private long refusedAt;
    private long triedAt;
    private boolean isTold;
  }
}
