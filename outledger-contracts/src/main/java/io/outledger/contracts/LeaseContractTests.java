// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.RelayStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** How a lease is taken, renewed, lapses and is given back. */
abstract class LeaseContractTests extends StoreContractTests {

  @Test
  void leaseIsTakenWithTheNextRow() {
    RelayStore store = store();
    CursorRow before = store.look();
    Owner owner = Owner.of(store, LONG);
    assertThat(owner.n()).isEqualTo(before.n() + 1);
    assertThat(store().look())
        .isEqualTo(new CursorRow(owner.n(), owner.incarnation(), LONG, false, false));
  }

  @Test
  void ofTwoWhoSawTheSameRowTheSecondIsTurnedAway() {
    RelayStore first = store();
    RelayStore second = store();
    CursorRow seen = second.look();
    Owner owner = Owner.of(first, LONG);
    assertThat(second.takeOver(seen, UUID.randomUUID(), LONG, () -> {})).isEmpty();
    assertThat(first.look().incarnation()).isEqualTo(owner.incarnation());
  }

  @Test
  void callerIsToldOnceRightBeforeTheLeaseIsAskedFor() {
    RelayStore store = store();
    RelayStore other = store();
    CursorRow seen = store.look();
    List<Long> newestWhenTold = new ArrayList<>();
    Optional<LeaseGrant> grant =
        store.takeOver(seen, UUID.randomUUID(), LONG, () -> newestWhenTold.add(other.look().n()));
    assertThat(grant).isPresent();
    assertThat(newestWhenTold).containsExactly(seen.n());
  }

  @Test
  void ofManyAtOnceExactlyOneTakesTheLease() throws Exception {
    CursorRow seen = store().look();
    List<Callable<Optional<LeaseGrant>>> takers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      RelayStore store = store();
      takers.add(() -> store.takeOver(seen, UUID.randomUUID(), LONG, () -> {}));
    }
    assertThat(results(takers)).filteredOn(Optional::isPresent).hasSize(1);
  }

  @Test
  void rowThatIsNoLongerTheNewestTakesNoLease() {
    Owner owner = owner();
    RelayStore other = store();
    CursorRow seen = other.look();
    owner.save(Frontier.START);
    assertThat(other.takeOver(seen, UUID.randomUUID(), LONG, () -> {})).isEmpty();
    assertThat(other.look().n()).isEqualTo(owner.n());
  }

  @Test
  void leaseLapsesByTheDatabasesClock() {
    Owner owner = Owner.of(store(), SHORT);
    fixture().letPass(LONGER_THAN_SHORT);
    assertThat(owner.store().look().lapsed()).isTrue();
    assertThat(owner.store().look().released()).isFalse();
  }

  @Test
  void saveRenewsTheLease() {
    Owner owner = Owner.of(store(), SHORT);
    fixture().letPass(LONGER_THAN_SHORT);
    owner.renew(LONG);
    assertThat(owner.store().look())
        .isEqualTo(new CursorRow(owner.n(), owner.incarnation(), LONG, false, false));
  }

  @Test
  void lapsedLeaseThatNobodyTookIsStillItsOwners() {
    Owner owner = Owner.of(store(), SHORT);
    fixture().letPass(LONGER_THAN_SHORT);
    owner.save(Frontier.START);
    assertThat(store().look().n()).isEqualTo(owner.n());
  }

  @Test
  void releasedLeaseIsTakenAtOnce() {
    Owner owner = owner();
    owner.release();
    assertThat(store().look().released()).isTrue();
    assertThat(owner().n()).isEqualTo(owner.n() + 1);
  }

  @Test
  void closedStoreKeepsTheLease() {
    Owner owner = owner();
    owner.store().close();
    assertThat(store().look())
        .isEqualTo(new CursorRow(owner.n(), owner.incarnation(), LONG, false, false));
  }

  @Test
  void cursorAheadOfTheLedgerTakesNoLease() {
    Owner owner = owner();
    owner.save(new Frontier(1_000_000, Positions.NONE));
    RelayStore successor = store();
    CursorRow seen = successor.look();
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> successor.takeOver(seen, UUID.randomUUID(), LONG, () -> {}))
        .matches(e -> e.code() == ErrorCode.LEDGER_BEHIND_CURSOR);
    assertThat(store().look().n()).isEqualTo(seen.n());
  }

  @Test
  void ownerIsToldThatTheLedgerFellBehind() {
    long position = committed("a").get(0);
    Owner owner = owner();
    owner.store().checkPreconditions(position);
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> owner.store().checkPreconditions(1_000_000))
        .matches(e -> e.code() == ErrorCode.LEDGER_BEHIND_CURSOR);
  }

  private static <T> List<T> results(List<Callable<T>> calls) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
