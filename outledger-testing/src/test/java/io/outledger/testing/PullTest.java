// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.relay.Pull;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Pulled;
import io.outledger.relay.StepReport;
import io.outledger.store.LedgerMessage;
import io.outledger.store.PauseScope;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a pull hands out, over a ledger in memory. */
class PullTest extends PulledLedger {

  @Test
  void whatWasNotCommittedIsHandedOutAgainAndNothingElse() {
    append("a", 0);
    Pull first = pull(0);
    step(first);
    append("a", 1);
    assertThat(first.next().messages()).hasSize(1); // which the engine never commits
    first.close();
    Pull second = pull(0);
    step(second);
    passLeases();
    step(second);
    assertThat(arrived()).containsExactly("a0", "a1");
  }

  @Test
  void aMessageThatCommitsLateIsHandedOutOnceAlsoAfterACrash() {
    InMemoryTransaction late = ledger.begin();
    late.append(message("late", 0));
    append("a", 0);
    Pull first = pull(0);
    step(first);
    assertThat(arrived()).containsExactly("a0");
    first.close();
    late.commit();
    Pull second = pull(0);
    step(second);
    passLeases();
    step(second);
    step(second);
    assertThat(arrived()).containsExactly("a0", "late0");
  }

  @Test
  void holesThatNobodyCanFillAreDropped() {
    InMemoryTransaction lost = ledger.begin();
    lost.append(message("lost", 0));
    append("a", 0);
    Pull pull = pull(0);
    step(pull);
    lost.rollback();
    Pulled last = step(pull);
    for (int i = 0; i < 30; i++) {
      last = step(pull);
      journal.heartbeat(last);
    }
    assertThat(last.after().values())
        .allSatisfy(entry -> assertThat(entry.frontier().open().isEmpty()).isTrue());
    assertThat(ledger.subscription("s0").frontier().open().isEmpty()).isTrue();
  }

  @Test
  void pastTooManyOpenRangesNothingIsReadAndNothingIsLost() {
    openRangesMax = 2;
    Pull pull = pull(0);
    List<InMemoryTransaction> late = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      InMemoryTransaction open = ledger.begin();
      open.append(message("late", i));
      late.add(open);
      append("a", i);
      step(pull);
    }
    assertThat(arrived()).contains("a0").doesNotContain("a5");
    late.forEach(InMemoryTransaction::commit);
    for (int i = 0; i < 30; i++) {
      step(pull);
    }
    assertThat(arrived()).hasSize(12).doesNotHaveDuplicates();
  }

  @Test
  void eachSlotIsHandedOutByItsOwner() {
    slots(4);
    for (int i = 0; i < 40; i++) {
      append("k" + i, 0);
    }
    Pull even = pull(0, 2);
    Pull odd = pull(1, 3);
    for (int i = 0; i < 10; i++) {
      step(even);
      step(odd);
    }
    assertThat(arrived()).hasSize(40).doesNotHaveDuplicates();
  }

  /** Two connectors of other numbers of tasks; one task of the second is gone. */
  @Test
  void slotsThatNobodyElseTakesAreTakenWithoutTheRestAndTheRestOnceItIsFree() {
    slots(4);
    for (int i = 0; i < 40; i++) {
      append("k" + i, 0);
    }
    Pull half = pull(0, 2);
    step(half);
    Pull all = pull(0, 1, 2, 3);
    passHalfAMinute(half, all);
    assertThat(arrived()).hasSize(40).doesNotHaveDuplicates();
    half.release();
    half.close();
    for (int i = 40; i < 80; i++) {
      append("k" + i, 0);
    }
    passHalfAMinute(all);
    assertThat(arrived()).hasSize(80).doesNotHaveDuplicates();
  }

  private void passHalfAMinute(Pull... pulls) {
    for (int i = 0; i < 30; i++) {
      clock.advance(Duration.ofSeconds(1));
      List.of(pulls).forEach(this::step);
    }
  }

  @Test
  void aPullOfSomeSlotsGoesOnWithThemAtOnceAfterAFailure() {
    slots(2);
    Pull other = pull(0);
    step(other);
    Pull all = pull(0, 1);
    passHalfAMinute(other, all);
    all.forget();
    assertThat(step(all).state()).isEqualTo(StepReport.State.OWNER);
    assertThat(step(all).after()).containsOnlyKeys(1);
  }

  @Test
  void slotsThatAreFreeForAMomentAreNotTakenWithoutTheRest() {
    slots(2);
    Pull half = pull(0);
    step(half);
    Pull all = pull(0, 1);
    for (int i = 0; i < 15; i++) {
      clock.advance(Duration.ofSeconds(1));
      step(half);
      assertThat(step(all).state()).isEqualTo(StepReport.State.STANDBY);
    }
  }

  @Test
  void aMoveWinsOverTheJournalAndAnyCrashAfterIt() {
    append("a", 0);
    append("a", 1);
    Pull first = pull(0);
    step(first);
    ledger.subscription("s0").skip(Start.at(2)); // the row is behind the journal
    first.next(); // which sees that it was moved
    Pulled again = first.next();
    assertThat(again.messages()).hasSize(1);
    first.close(); // before the journal has it
    Pull second = pull(0);
    step(second);
    passLeases();
    step(second);
    step(second);
    assertThat(arrived()).containsExactly("a0", "a1", "a1");
  }

  @Test
  void theEpochsAreThoseOfTheRowsAndNoneCountsAfterAMove() {
    append("a", 0);
    Pull first = pull(0);
    step(first);
    PullJournal.Entry kept = journal.load(0).orElseThrow();
    Pull looking = pull(0);
    assertThat(looking.epochs()).isEqualTo(Map.of(0, kept.epoch()));
    step(first); // whose lease was not touched
    ledger.subscription("s0").move(Start.at(1));
    assertThat(looking.epochs()).isEqualTo(Map.of(0, 0L));
    looking.close();
    assertThatThrownBy(looking::epochs).hasMessageContaining("OUT-026");
  }

  @Test
  void withoutAJournalTheCursorIsTheStart() {
    append("a", 0);
    Pull first = pull(0);
    step(first);
    clock.advance(Duration.ofSeconds(2));
    step(first);
    first.release();
    first.close();
    journal.forget();
    append("a", 1);
    step(pull(0));
    assertThat(arrived()).containsExactly("a0", "a1");
  }

  @Test
  void engineThatComesBackContinuesWhereAnotherOneHasReadTo() {
    append("a", 0);
    release(step());
    KeptFrontiers others = new KeptFrontiers(slots);
    KeptFrontiers own = journal(others);
    append("a", 1);
    release(step());
    append("a", 2);
    release(step());
    journal(own);
    append("a", 3);
    release(step());
    append("a", 4);
    journal(others);
    release(step());
    assertThat(own.arrived()).extracting(LedgerMessage::position).containsExactly(1L, 4L);
    assertThat(others.arrived()).extracting(LedgerMessage::position).containsExactly(2L, 3L, 5L);
  }

  private String keyOf(int slot) {
    return IntStream.range(0, 100)
        .mapToObj(i -> "k" + i)
        .filter(key -> slots.of(key, UUID.randomUUID()) == slot)
        .findFirst()
        .orElseThrow();
  }

  private Pull step() {
    return step(0);
  }

  private Pull step(int slot) {
    Pull pull = pull(slot);
    step(pull);
    return pull;
  }

  private static void release(Pull pull) {
    pull.release();
    pull.close();
  }

  @Test
  void whatHasArrivedIsNotReadAgainWhenTheLeaseWasLostAndNobodyTookIt() {
    append("a", 0);
    append("a", 1);
    Pull pull = pull(0);
    assertThat(pull.next().messages()).hasSize(2);
    pull.committed(); // while the engine keeps its offsets only now and then
    passLeases();
    append("a", 2);
    pull.next(); // which sees that the lease is over
    assertThat(pull.next().messages()).extracting(LedgerMessage::position).containsExactly(3L);
    pull.forget(); // before it has arrived
    assertThat(pull.next().messages()).extracting(LedgerMessage::position).containsExactly(3L);
  }

  @Test
  void cursorThatWasRestoredToBeforeTheEpochOfTheJournalIsRefused() {
    append("a", 0);
    release(step());
    ledger.subscription("s0").move(Start.at(1));
    LedgerBackup backup = ledger.backup();
    release(step());
    ledger.restore(backup);
    Pull pull = pull(0);
    assertThatThrownBy(pull::next)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-007")
        .hasMessageContaining("delete the source offsets");
    journal.forget();
    step(pull);
    assertThat(arrived()).containsExactly("a0", "a0", "a0");
  }

  @Test
  void aLedgerThatWasRestoredBelowTheJournalIsRefusedUntilItIsMoved() {
    append("a", 0);
    Pull first = pull(0);
    step(first);
    first.release();
    LedgerBackup backup = ledger.backup();
    append("a", 1);
    Pull second = pull(0);
    step(second);
    second.release();
    ledger.restore(backup);
    append("b", 0);
    Pull third = pull(0);
    assertThatThrownBy(third::next)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-007")
        .hasMessageContaining("restored to an earlier state");
    ledger.subscription("s0").move(Start.at(2));
    step(third);
    step(third);
    assertThat(arrived()).containsExactly("a0", "a1", "b0");
  }

  /** What any slot has read must be there, also what another slot of the pull has not. */
  @Test
  void aLedgerThatWasRestoredBelowOneOfTheSlotsIsRefused() {
    slots(2);
    append(keyOf(0), 0);
    append(keyOf(1), 0);
    Pull both = pull(0, 1);
    step(both);
    release(both);
    LedgerBackup backup = ledger.backup();
    append(keyOf(1), 1);
    release(step(1));
    ledger.restore(backup);
    append("b", 0);
    assertThatThrownBy(pull(0, 1)::next)
        .hasMessageContaining("OUT-007")
        .hasMessageContaining("restored to an earlier state");
  }

  @Test
  void aSubscriptionThatIsGoneWhereTheJournalHasItIsRefused() {
    LedgerBackup backup = ledger.backup();
    append("a", 0);
    Pull first = pull(0);
    step(first);
    first.release();
    ledger.restore(backup);
    append("b", 0);
    Pull second = pull(0);
    assertThatThrownBy(second::next)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-007")
        .hasMessageContaining("the database is another one");
  }

  @Test
  void aPauseStopsReadingAndLosesNothing() {
    append("a", 0);
    Pull pull = pull(0);
    step(pull);
    ledger.subscription("s0").pause(PauseScope.subscription(), "me", "test");
    append("a", 1);
    assertThat(step(pull).messages()).isEmpty();
    assertThat(step(pull).messages()).isEmpty();
    ledger.subscription("s0").resume(PauseScope.subscription());
    step(pull);
    step(pull);
    assertThat(arrived()).containsExactly("a0", "a1");
  }

  @Test
  void anotherOneStandsByAsLongAsTheLeaseIsHeld() {
    Pull first = pull(0);
    step(first);
    Pull second = pull(0);
    for (int i = 0; i < 30; i++) {
      assertThat(second.next().state()).isEqualTo(StepReport.State.STANDBY);
      clock.advance(Duration.ofSeconds(2));
      step(first);
    }
  }
}
