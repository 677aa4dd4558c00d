// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.frontier.Frontier;
import io.outledger.store.CursorRow;
import io.outledger.store.Declaration;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of a cursor as it stands in the table.
 *
 * @param leaseUntil when the lease ends, by the database's clock; null where it was released
 * @param inRow the frontier without the overflow
 * @param lacking what is declared and the owner does not have
 */
record CursorEntry(
    long n,
    UUID incarnation,
    Duration lease,
    @Nullable Instant leaseUntil,
    Instant savedAt,
    Frontier inRow,
    Set<Declaration> lacking) {

  boolean isOwnedBy(long number, UUID owner) {
    return n == number && incarnation.equals(owner);
  }

  boolean isSavedInTheSecondOf(CursorEntry other) {
    return savedAt.getEpochSecond() == other.savedAt.getEpochSecond();
  }

  CursorRow seenAt(Instant now) {
    boolean released = leaseUntil == null;
    boolean lapsed = leaseUntil == null || !now.isBefore(leaseUntil);
    return new CursorRow(n, incarnation, lease, lapsed, released, lacking, null);
  }
}
