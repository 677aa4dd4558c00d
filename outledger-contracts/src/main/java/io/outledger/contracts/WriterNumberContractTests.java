// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.store.Page;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests a store that numbers each writer, and knows at once when one has ended. */
abstract class WriterNumberContractTests extends StoreContractTests {

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
  void transactionThatNeverTouchesTheLedgerIsNoWriter() {
    Owner owner = owner();
    LedgerWriter elsewhere = fixture().beginElsewhere();
    owner.save(Frontier.START);
    owner.store().poll(above(0));
    assertThat(owner.store().writers()).isEmpty();
    elsewhere.rollback();
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
}
