// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.Page;
import io.outledger.time.TimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the facts that prove a hole dead: transaction ids, the horizon and the writers. */
abstract class HorizonContractTests extends StoreContractTests {

  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final TimeSource time = TimeSource.system();

  @Test
  void everySaveHasATransactionIdAboveTheOnesBefore() {
    Owner owner = owner();
    long first = owner.save(Frontier.START);
    assertThat(owner.save(Frontier.START)).isGreaterThan(first);
  }

  @Test
  void horizonStaysAtOrBelowAnOpenWriterAndPassesItsEnd() {
    if (isForOneWriter()) {
      return;
    }
    Owner owner = owner();
    LedgerWriter writer = fixture().begin();
    long position = writer.append(message("a"));
    long witness = owner.save(Frontier.START);
    assertThat(owner.store().poll(above(0)).snapshot().horizon()).isLessThan(witness);
    writer.commit();
    Page page = awaitHorizon(owner, witness);
    assertThat(positions(page)).containsExactly(position);
  }

  @Test
  void horizonPassesAWriterThatRolledBack() {
    if (isForOneWriter()) {
      return;
    }
    Owner owner = owner();
    LedgerWriter writer = fixture().begin();
    writer.append(message("a"));
    long witness = owner.save(Frontier.START);
    writer.rollback();
    assertThat(awaitHorizon(owner, witness).messages()).isEmpty();
  }

  @Test
  void transactionThatNeverTouchesTheLedgerHoldsNothingBackOnceItHasEnded() {
    if (isForOneWriter()) {
      return;
    }
    Owner owner = owner();
    LedgerWriter elsewhere = fixture().beginElsewhere();
    long witness = owner.save(Frontier.START);
    elsewhere.rollback();
    awaitHorizon(owner, witness);
  }

  @Test
  void writersIdIsBelowThatOfASaveSentAfterItsAppend() {
    if (isForOneWriter()) {
      return;
    }
    Owner owner = owner();
    LedgerWriter writer = fixture().begin();
    writer.append(message("a"));
    long witness = owner.save(Frontier.START);
    assertThat(owner.store().writers()).allMatch(id -> id < witness);
    writer.commit();
  }

  @Test
  void blockersAreDescribed() {
    Owner owner = owner();
    LedgerWriter writer = fixture().begin();
    writer.append(message("a"));
    assertThat(owner.store().blockers()).isNotBlank();
    writer.rollback();
  }

  @Test
  void sameServerAnswersEveryCall() {
    committed("a");
    Owner owner = owner();
    Page page = owner.store().poll(above(0, Positions.NONE));
    assertThat(page.server()).isEqualTo(owner.grant().server());
    assertThat(owner().grant().server()).isEqualTo(page.server());
  }

  /**
   * A server's own short transactions may hold the horizon back for a moment, and a gate shows each
   * slot free only after seconds, however often it is asked.
   */
  private Page awaitHorizon(Owner owner, long witness) {
    long started = time.nanoTime();
    Page page = owner.store().poll(above(0));
    while (page.snapshot().horizon() < witness && time.nanoTime() - started < PATIENCE.toNanos()) {
      fixture().letPass(MOMENT);
      page = owner.store().poll(above(0));
    }
    assertThat(page.snapshot().horizon()).isGreaterThanOrEqualTo(witness);
    return page;
  }
}
