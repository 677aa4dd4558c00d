// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.Page;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the facts that prove a hole dead: transaction ids, the horizon and the writers. */
abstract class HorizonContractTests extends StoreContractTests {

  private static final Duration MOMENT = Duration.ofMillis(20);

  @Test
  void everySaveHasATransactionIdAboveTheOnesBefore() {
    Owner owner = owner();
    long first = owner.save(Frontier.START);
    assertThat(owner.save(Frontier.START)).isGreaterThan(first);
  }

  @Test
  void horizonStaysAtOrBelowAnOpenWriterAndPassesItsEnd() {
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
    Owner owner = owner();
    LedgerWriter writer = fixture().begin();
    writer.append(message("a"));
    long witness = owner.save(Frontier.START);
    writer.rollback();
    assertThat(awaitHorizon(owner, witness).messages()).isEmpty();
  }

  @Test
  void transactionThatNeverTouchesTheLedgerIsNoWriterAndHoldsNothingBackOnceItHasEnded() {
    Owner owner = owner();
    LedgerWriter elsewhere = fixture().beginElsewhere();
    long witness = owner.save(Frontier.START);
    owner.store().poll(above(0));
    assertThat(owner.store().writers()).isEmpty();
    elsewhere.rollback();
    awaitHorizon(owner, witness);
  }

  @Test
  void writersAreThoseThatHaveAppendedAndNotEnded() {
    Owner owner = owner();
    LedgerWriter first = fixture().begin();
    LedgerWriter second = fixture().begin();
    first.append(message("a"));
    Set<Long> one = owner.store().writers();
    assertThat(one).hasSize(1);
    second.append(message("b"));
    assertThat(owner.store().writers()).hasSize(2).containsAll(one);
    first.commit();
    assertThat(owner.store().writers()).hasSize(1).doesNotContainAnyElementsOf(one);
    second.rollback();
    assertThat(owner.store().writers()).isEmpty();
  }

  @Test
  void writersIdIsBelowThatOfASaveSentAfterItsAppend() {
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
  void pageNamesEverybodyWhoHadBegunBeforeASaveAndHasNotEnded() {
    Owner owner = owner();
    LedgerWriter first = fixture().begin();
    LedgerWriter second = fixture().begin();
    first.append(message("a"));
    long one = only(owner.store().writers());
    second.append(message("b"));
    long witness = owner.save(Frontier.START);
    Set<Long> both = owner.store().writers();
    Page page = owner.store().poll(above(0));
    assertThat(page.snapshot().running()).containsAll(both);
    assertThat(both).hasSize(2).allMatch(id -> id < witness);
    first.commit();
    assertThat(owner.store().poll(above(0)).snapshot().running())
        .doesNotContain(one)
        .containsAll(owner.store().writers());
    second.rollback();
    assertThat(owner.store().poll(above(0)).snapshot().running()).doesNotContainAnyElementsOf(both);
  }

  private static long only(Set<Long> ids) {
    assertThat(ids).hasSize(1);
    return ids.iterator().next();
  }

  @Test
  void sameServerAnswersEveryCall() {
    committed("a");
    Owner owner = owner();
    Page page = owner.store().poll(above(0, Positions.NONE));
    assertThat(page.server()).isEqualTo(owner.grant().server());
    assertThat(owner().grant().server()).isEqualTo(page.server());
  }

  /** A server's own short transactions may hold the horizon back for a moment. */
  private Page awaitHorizon(Owner owner, long witness) {
    Page page = owner.store().poll(above(0));
    for (int moments = 0; page.snapshot().horizon() < witness && moments < 250; moments++) {
      fixture().letPass(MOMENT);
      page = owner.store().poll(above(0));
    }
    assertThat(page.snapshot().horizon()).isGreaterThanOrEqualTo(witness);
    return page;
  }
}
