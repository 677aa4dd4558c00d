// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.store.CursorRow;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who waits for how long, by the database's clock and by its own. */
class LeaseWatcherTest {

  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Declaring NOTHING = new Declaring(Set.of(), Set.of());
  private static final UUID OWNER = new UUID(1, 1);

  private final LeaseWatcher leaseWatcher = new LeaseWatcher();

  /** Looks at a row so long after the first look, which is not at the clock's zero. */
  private boolean mayFollow(long n, boolean lapsed, Duration after) {
    long now = LEASE.multipliedBy(7).plus(after).toNanos();
    return leaseWatcher.observe(new CursorRow(n, OWNER, LEASE, lapsed, false), NOTHING, now);
  }

  @Test
  void lapsedLeaseIsTakenOnceItsRowWasSeenUnchangedForAWholeLease() {
    assertThat(mayFollow(1, true, Duration.ZERO)).isFalse();
    assertThat(mayFollow(1, true, LEASE.minusNanos(1))).isFalse();
    assertThat(mayFollow(1, true, LEASE)).isTrue();
  }

  @Test
  void databaseClockThatWasSetBackHoldsASuccessorOffForOneMoreLease() {
    assertThat(mayFollow(1, false, Duration.ZERO)).isFalse();
    assertThat(mayFollow(1, false, LEASE.multipliedBy(2).minusNanos(1))).isFalse();
    assertThat(mayFollow(1, false, LEASE.multipliedBy(2))).isTrue();
  }

  @Test
  void ownerThatSavesIsNeverSucceededWhateverTheDatabasesClockSays() {
    for (int n = 1; n < 100; n++) {
      Duration now = LEASE.multipliedBy(3L * n);
      assertThat(mayFollow(n, n % 2 == 0, now)).isFalse();
      assertThat(mayFollow(n, n % 2 == 0, now.plus(LEASE).minusNanos(1))).isFalse();
    }
  }

  @Test
  void leaseThatWasGivenBackAndOnesOwnFormerLeaseAreNotWaitedFor() {
    assertThat(leaseWatcher.observe(new CursorRow(1, OWNER, LEASE, true, true), NOTHING, 0))
        .isTrue();
    leaseWatcher.ended(OWNER);
    assertThat(mayFollow(2, false, Duration.ZERO)).isTrue();
  }

  @Test
  void leaseThatWasGivenBackForWantOfAHandlerGoesFirstToOneThatHasIt() {
    Declaration refunds = Declaration.everything("refunds");
    CursorRow row = new CursorRow(1, OWNER, LEASE, true, true, Set.of(refunds), null);
    assertThat(leaseWatcher.observe(row, NOTHING, 0)).isFalse();
    assertThat(leaseWatcher.observe(row, NOTHING, Duration.ofMillis(999).toNanos())).isFalse();
    assertThat(new LeaseWatcher().observe(row, new Declaring(Set.of(refunds), Set.of()), 0))
        .isTrue();
    assertThat(leaseWatcher.observe(row, NOTHING, Duration.ofSeconds(1).toNanos())).isTrue();
  }
}
