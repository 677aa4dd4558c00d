// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.store.Paused;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a subscription stands, how late it is, and who runs it.
 *
 * @param cursor how far it has read and settled
 * @param isRunning whether a relay has a lease on it that has not run out
 * @param relay what the owner is doing or, if nobody owns it, what an instance announced last; null
 *     if none has
 * @param lag how late it is
 * @param parked what it has parked
 * @param lacking what is declared and the owner does not have, for people; null where it lacks
 *     nothing
 * @param pauses what operators have paused of it: who, why and since when. All subscriptions
 *     together show {@link Count#MAX} at most
 */
public record SubscriptionState(
    SubscriptionStatus cursor,
    boolean isRunning,
    @Nullable InstanceState relay,
    Lag lag,
    ParkedCounts parked,
    @Nullable String lacking,
    List<Paused> pauses) {

  /** Returns its name. */
  public String name() {
    return cursor.name();
  }

  /**
   * How late a subscription is.
   *
   * @param behind how many positions it has still to read, those of rolled back transactions
   *     included
   * @param oldest the age of the oldest message that is neither published nor discarded; zero if
   *     there is none
   * @param oldestState that message's state: {@code waiting}, {@code retrying}, {@code held} or
   *     {@code dead}; null if there is none
   * @param waiting the age of the oldest message that the relay has still to try; zero if there is
   *     none
   * @param openRanges how many ranges of positions are read and not settled
   */
  public record Lag(
      long behind,
      Duration oldest,
      @Nullable String oldestState,
      Duration waiting,
      long openRanges) {}
}
