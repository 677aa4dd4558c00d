// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.Declaration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A cursor's rows and the open positions that overflow into rows beside them. Guarded by its
 * ledger.
 */
final class CursorLog {

  private static final int PURGED_AT_ONCE = 1_000;

  private final NavigableMap<Long, CursorEntry> rows = new TreeMap<>();
  private Positions overflow = Positions.NONE;
  private long purgeFrom;

  CursorLog(Frontier start, Instant now) {
    rows.put(1L, new CursorEntry(1, new UUID(0, 0), Duration.ZERO, null, now, start, Set.of()));
  }

  private CursorLog(CursorLog other) {
    rows.putAll(other.rows);
    overflow = other.overflow;
    purgeFrom = other.purgeFrom;
  }

  CursorLog copy() {
    return new CursorLog(this);
  }

  CursorEntry newest() {
    Map.Entry<Long, CursorEntry> last = rows.lastEntry();
    if (last == null) {
      throw new NoSuchElementException("the cursor has no row");
    }
    return last.getValue();
  }

  Positions overflow() {
    return overflow;
  }

  Frontier frontier() {
    Frontier inRow = newest().inRow();
    return new Frontier(inRow.high(), inRow.open().union(overflow));
  }

  int size() {
    return rows.size();
  }

  void insertNext(UUID owner, Duration lease, Instant now, Frontier inRow) {
    insertNext(owner, lease, now, inRow, Set.of());
  }

  void insertNext(
      UUID owner, Duration lease, Instant now, Frontier inRow, Set<Declaration> lacking) {
    long n = newest().n() + 1;
    Instant until = lease.isZero() ? null : now.plus(lease);
    rows.put(n, new CursorEntry(n, owner, lease, until, now, inRow, lacking));
  }

  /** Writes the difference only, as a database would: what was there before is not read again. */
  void keepOverflow(Positions before, Positions after) {
    overflow = overflow.minus(before.minus(after)).union(after.minus(before));
  }

  /** Keeps the last row of each second, and the newest. */
  void purge(long newest) {
    if (newest < purgeFrom) {
      return; // asked by an owner whose successor has purged further already
    }
    List<CursorEntry> old =
        rows.subMap(purgeFrom, true, newest, true).values().stream().limit(PURGED_AT_ONCE).toList();
    for (int i = 0; i + 1 < old.size(); i++) {
      if (old.get(i).isSavedInTheSecondOf(old.get(i + 1))) {
        rows.remove(old.get(i).n());
      }
      purgeFrom = old.get(i + 1).n();
    }
  }
}
