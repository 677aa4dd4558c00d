// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.store.FailedAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt at a parked message of the in-memory ledger, for a test to look at.
 *
 * @param number which one: 1 for the first
 * @param failedAt when its failure was saved, by the ledger's clock
 * @param took how long it took; null where nobody knows
 * @param error what happened
 */
public record ParkedAttempt(
    int number, Instant failedAt, @Nullable Duration took, @Nullable String error) {

  /** Returns the attempts with one more, of which the first and the last are kept. */
  static List<ParkedAttempt> add(List<ParkedAttempt> before, ParkedAttempt last) {
    List<ParkedAttempt> all = new ArrayList<>(before);
    all.removeIf(
        each ->
            each.number() > FailedAttempt.FIRST_KEPT
                && each.number() <= last.number() - FailedAttempt.LAST_KEPT);
    all.add(last);
    return List.copyOf(all);
  }
}
