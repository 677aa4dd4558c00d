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
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    }
    assertThat(last.after().values())
        .allSatisfy(entry -> assertThat(entry.frontier().open().isEmpty()).isTrue());
    assertThat(ledger.subscription("s0").frontier().open().isEmpty()).isTrue();
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

  @Test
  void aMoveWinsOverTheJournalAndAnyCrashAfterIt() {
    append("a", 0);
    append("a", 1);
    Pull first = pull(0);
    step(first);
    ledger.subscription("s0").move(Start.at(2));
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

  private Pull step() {
    Pull pull = pull(0);
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

  /** Returns a pull whose only message is a dead letter that somebody wants to be sent. */
  private Pull withWantedDeadLetter() {
    append("a", 0);
    Pull pull = pull(0);
    journal.heartbeat(parked(pull, pull.next()));
    pull.committed();
    clock.advance(Duration.ofSeconds(3));
    ledger.subscription("s0").requestRetry(1, "");
    return pull;
  }

  private void assertArrivesOnce(Pull pull) {
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofSeconds(2));
      step(pull);
    }
    assertThat(arrived()).containsExactly("a0");
    assertThat(ledger.subscription("s0").parked()).isEmpty();
  }

  @Test
  void aDeadLetterIsSentOnceOnRequest() {
    Pull first = withWantedDeadLetter();
    step(first);
    assertThat(arrived()).containsExactly("a0");
    first.close(); // before the row was taken away
    assertThat(ledger.subscription("s0").parked()).hasSize(1);
    Pull second = pull(0);
    second.next();
    passLeases();
    assertArrivesOnce(second);
  }

  @Test
  void aDeadLetterThatWasHandedOutInVainIsHandedOutAgain() {
    Pull pull = withWantedDeadLetter();
    assertThat(pull.next().messages()).hasSize(1);
    pull.forget(); // before it has arrived
    clock.advance(Duration.ofSeconds(3));
    assertArrivesOnce(pull);
  }

  @Test
  void aDeadLetterThatIsParkedAgainIsNotTakenForSent() {
    Pull first = withWantedDeadLetter();
    Pulled again = first.next();
    assertThat(again.messages()).hasSize(1);
    journal.heartbeat(parked(first, again)); // which is all that arrives
    first.committed();
    first.close();
    ledger.subscription("s0").requestRetry(1, "");
    Pull second = pull(0);
    second.next();
    passLeases();
    assertArrivesOnce(second);
  }

  @Test
  void aDeadLetterOfAnEmptiedLedgerIsSentBesideTheMessageThatHasItsPosition() {
    append("a", 0);
    Pull first = pull(0);
    journal.heartbeat(parked(first, first.next()));
    first.committed();
    first.release();
    ledger.truncate();
    append("b", 0);
    ledger.subscription("s0").move(Start.EARLIEST);
    ledger.subscription("s0").requestRetry(1, "");
    Pull second = pull(0);
    assertThat(step(second).messages())
        .extracting(LedgerMessage::position)
        .containsExactlyInAnyOrder(1L, 1L);
    clock.advance(Duration.ofSeconds(2));
    step(second);
    assertThat(arrived()).containsExactlyInAnyOrder("a0", "b0");
    assertThat(ledger.subscription("s0").parked()).isEmpty();
  }

  /** More are wanted than are looked for at once, so the row of one that was sent comes later. */
  @Test
  void aDeadLetterThatWasSentIsNotSentAgainBehindManyOthers() {
    int others = 50;
    Pull first = pull(0);
    for (int i = 0; i <= others; i++) {
      append("a", i);
      journal.heartbeat(parked(first, first.next()));
      first.committed();
      clock.advance(Duration.ofMillis(10));
    }
    clock.advance(Duration.ofSeconds(2));
    ledger.subscription("s0").requestRetry(others + 1, "");
    step(first);
    assertThat(arrived()).containsExactly("a" + others);
    first.close(); // before the row was taken away
    for (int i = 1; i <= others; i++) {
      ledger.subscription("s0").requestRetry(i, "");
    }
    Pull second = pull(0);
    second.next();
    passLeases();
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(2));
      step(second);
    }
    assertThat(arrived()).hasSize(others + 1).doesNotHaveDuplicates();
    assertThat(ledger.subscription("s0").parked()).isEmpty();
  }

  /** Parks the only message that was handed out, and returns what holds then. */
  private static Map<Integer, PullJournal.Entry> parked(Pull pull, Pulled pulled) {
    return pull.park(Map.of(0, List.of(dead(pulled.messages().get(0))))).orElseThrow();
  }

  private static ParkedChange dead(LedgerMessage message) {
    return new ParkedChange.Park(
        new ParkedMessage(
            message.position(), "", message.message(), ParkedState.DEAD, 1, false, null, false, 0),
        "too large",
        null);
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
