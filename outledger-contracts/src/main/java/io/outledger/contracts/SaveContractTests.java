// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A save keeps its changes, and the next owner continues from exactly them. */
abstract class SaveContractTests extends StoreContractTests {

  private static final int MESSAGES = 40;

  private long high;

  @BeforeEach
  final void append() {
    LedgerWriter writer = fixture().begin();
    for (int i = 0; i < MESSAGES; i++) {
      high = writer.append(messageOfBytes(1));
    }
    writer.commit();
  }

  @Test
  void successorGoesOnFromTheSavedFrontier() {
    Frontier frontier = new Frontier(high, Positions.of(3, 5, 6, 7, high));
    owner().save(frontier);
    Owner successor = owner();
    assertThat(successor.frontier()).isEqualTo(frontier);
    assertThat(successor.grant().overflow().isEmpty()).isTrue();
  }

  @Test
  void takingTheLeaseKeepsTheFrontier() {
    Frontier frontier = new Frontier(high, Positions.of(3, 9));
    owner().saveOverflow(frontier, Positions.of(3));
    owner();
    Owner third = owner();
    assertThat(third.frontier()).isEqualTo(frontier);
    assertThat(third.grant().overflow()).isEqualTo(Positions.of(3));
  }

  @Test
  void lastOfManySavesCounts() {
    Owner owner = owner();
    for (long position = 1; position <= 20; position++) {
      owner.save(new Frontier(position, Positions.NONE));
    }
    assertThat(owner().frontier()).isEqualTo(new Frontier(20, Positions.NONE));
  }

  @Test
  void manyOpenRangesAreKept() {
    PositionsBuilder open = new PositionsBuilder();
    for (long position = 1; position <= 400; position++) {
      open.add(position * 3, position * 3 + position % 2);
    }
    LedgerWriter writer = fixture().begin();
    long top = high;
    while (top < 1_202) {
      top = writer.append(messageOfBytes(0));
    }
    writer.commit();
    Frontier frontier = new Frontier(top, open.build());
    owner().save(frontier);
    assertThat(owner().frontier()).isEqualTo(frontier);
  }

  @Test
  void overflowIsOpenForTheSuccessor() {
    Frontier frontier = new Frontier(high, Positions.of(2, 3, 4, 9));
    owner().saveOverflow(frontier, Positions.range(2, 4));
    Owner successor = owner();
    assertThat(successor.frontier()).isEqualTo(frontier);
    assertThat(successor.grant().overflow()).isEqualTo(Positions.range(2, 4));
  }

  @Test
  void overflowIsSettledInTheMiddleOfTheirRange() {
    Owner owner = owner();
    Frontier frontier = new Frontier(high, Positions.range(2, 10));
    owner.saveOverflow(frontier, Positions.range(2, 10));
    Positions left = Positions.range(2, 10).minus(Positions.of(5, 6));
    owner.saveOverflow(new Frontier(high, left), left);
    Owner successor = owner();
    assertThat(successor.frontier()).isEqualTo(new Frontier(high, left));
    assertThat(successor.grant().overflow()).isEqualTo(left);
  }

  @Test
  void overflowGrowsBesideThoseOfBefore() {
    Owner owner = owner();
    Frontier frontier = new Frontier(high, Positions.range(2, 12));
    owner.saveOverflow(frontier, Positions.range(5, 7));
    owner.saveOverflow(frontier, Positions.range(3, 9));
    owner.saveOverflow(frontier, Positions.range(3, 9).union(Positions.of(12)));
    Owner successor = owner();
    assertThat(successor.frontier()).isEqualTo(frontier);
    assertThat(successor.grant().overflow())
        .isEqualTo(Positions.range(3, 9).union(Positions.of(12)));
  }

  @Test
  void overflowThatTheFrontierLeavesOutIsOpenAllTheSame() {
    Owner owner = owner();
    owner.saveOverflow(new Frontier(high, Positions.range(2, 6)), Positions.range(2, 4));
    owner.saveOverflow(new Frontier(high, Positions.of(6)), Positions.range(2, 4));
    owner.saveOverflow(new Frontier(high, Positions.NONE), Positions.of(2, 3));
    Owner successor = owner();
    assertThat(successor.frontier()).isEqualTo(new Frontier(high, Positions.of(2, 3)));
    assertThat(successor.grant().overflow()).isEqualTo(Positions.of(2, 3));
  }

  @Test
  void successorSettlesItsPredecessorsOverflow() {
    owner().saveOverflow(new Frontier(high, Positions.range(2, 4)), Positions.range(2, 4));
    owner().saveOverflow(new Frontier(high, Positions.NONE), Positions.NONE);
    Owner third = owner();
    assertThat(third.frontier()).isEqualTo(new Frontier(high, Positions.NONE));
    assertThat(third.grant().overflow().isEmpty()).isTrue();
  }

  @Test
  void overflowBelongsToOneSubscription() {
    owner().saveOverflow(new Frontier(high, Positions.of(2)), Positions.of(2));
    Owner other = Owner.of(fixture().open("other", Start.EARLIEST), LONG);
    assertThat(other.frontier()).isEqualTo(Frontier.START);
  }

  @Test
  void sameSaveTwiceIsSavedOnce() {
    Owner owner = owner();
    Save save =
        new Save(
            owner.n(),
            owner.incarnation(),
            owner.grant().server(),
            LONG,
            new Frontier(1, Positions.NONE),
            Positions.NONE,
            Positions.NONE,
            List.of(),
            null,
            Set.of());
    assertThat(owner.store().save(save)).isInstanceOf(SaveOutcome.Saved.class);
    assertThat(owner.store().save(save)).isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(store().look().n()).isEqualTo(owner.n() + 1);
  }

  @Test
  void successorIsToldTheMessageThatWasReadLast() {
    Owner owner = owner();
    LedgerMessage last = owner.store().poll(above(0)).messages().get(MESSAGES - 1);
    KnownMessage known = new KnownMessage(last.position(), last.message().id());
    owner.saveKnowing(new Frontier(high, Positions.NONE), known);
    Owner successor = owner();
    assertThat(successor.grant().known()).isEqualTo(known);
    successor.save(new Frontier(high, Positions.NONE));
    assertThat(owner().grant().known()).isEqualTo(known);
  }

  @Test
  void saverIsAnsweredByTheServerThatGaveTheLease() {
    Owner owner = owner();
    SaveOutcome outcome = owner.trySave(Frontier.START);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            SaveOutcome.Saved.class,
            saved -> assertThat(saved.server()).isEqualTo(owner.grant().server()));
  }

  @Test
  void purgeLeavesTheNewestRowAndWhatItSays() {
    Owner owner = owner();
    List<Long> purgedAt = new ArrayList<>();
    for (long position = 1; position <= 30; position++) {
      owner.save(new Frontier(position, Positions.of(1)));
      if (position % 10 == 0) {
        owner.store().purgeCursor(owner.n());
        purgedAt.add(store().look().n());
      }
    }
    assertThat(purgedAt).endsWith(owner.n()).isSorted();
    assertThat(owner().frontier()).isEqualTo(new Frontier(30, Positions.of(1)));
  }
}
