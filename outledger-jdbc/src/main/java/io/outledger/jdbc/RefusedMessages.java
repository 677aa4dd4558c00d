// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.DueMessages.Row;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduled messages that could not enter the ledger. Each waits, and is tried again after
 * {@link #RETRY}: what keeps it out may be corrected meanwhile. A message is to blame only if
 * another one gets through in the same pass; where none does, the ledger refuses them all. For one
 * thread.
 */
final class RefusedMessages {

  /** How long until a message that was refused is tried again. */
  static final Duration RETRY = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(RefusedMessages.class);
  private static final int IN_A_ROW_MAX = 32;

  private final TimeSource time;
  private final Map<Row, Long> refusedAt = new HashMap<>();
  private final Map<Row, String> suspects = new LinkedHashMap<>();
  private final Set<Row> told = new HashSet<>();
  private @Nullable StoreException last;
  private boolean isOthersMoved;

  RefusedMessages(TimeSource time) {
    this.time = time;
  }

  /** Begins a pass, and returns the rows that are not tried in it. */
  Set<Row> now() {
    suspects.clear();
    last = null;
    isOthersMoved = false;
    long now = time.nanoTime();
    refusedAt.values().removeIf(at -> now - at >= RETRY.toNanos());
    return new HashSet<>(refusedAt.keySet());
  }

  /**
   * Takes note that the ledger has refused a message.
   *
   * @throws StoreException the given one, if it has refused that many and taken none
   */
  void add(Row row, StoreException why) {
    refusedAt.put(row, time.nanoTime());
    last = why;
    suspects.put(row, String.valueOf(why.getMessage()));
    if (isOthersMoved) {
      blame();
    } else if (suspects.size() >= IN_A_ROW_MAX) {
      throw why;
    }
  }

  /** Takes note that a row is no message, whatever the ledger takes. */
  void isUnreadable(Row row, String why) {
    refusedAt.put(row, time.nanoTime());
    tell(row, "its row cannot be read: " + why);
  }

  /** Takes note that other messages have entered the ledger: so it was those that were refused. */
  void others() {
    isOthersMoved = true;
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

  private void tell(Row row, String why) {
    if (told.add(row)) {
      LOG.error(
          "the scheduled message with number {} of outledger_scheduled cannot enter the ledger, so"
              + " it and what is due after it with its key wait; it is tried again every {}"
              + " seconds. Cancel it, or correct what keeps it out: {}",
          row.number(),
          RETRY.toSeconds(),
          Printable.text(why));
    }
  }
}
