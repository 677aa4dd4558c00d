// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.Pull;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Pulled;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the dead letters of a pull, over a ledger in memory. */
class PulledDeadLettersTest extends PulledLedger {

  /** How many dead letters a store holds in memory at once. */
  private int atOnce = Integer.MAX_VALUE;

  @Override
  @Nullable Object answered(int slot, String method, @Nullable Object own) {
    return own instanceof List<?> due && method.equals("due")
        ? due.subList(0, Math.min(due.size(), atOnce))
        : own;
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

  /** The journal still names the row that was sent: the replay's is another one. */
  @Test
  void aMessageThatIsReplayedOnceItsRowWasTakenAwayIsSentAgainAlsoByASuccessor() {
    Pull first = withWantedDeadLetter();
    step(first);
    clock.advance(Duration.ofSeconds(2));
    first.next();
    assertThat(ledger.subscription("s0").parked()).isEmpty();
    ledger.subscription("s0").replay("", 1, 1);
    first.close(); // before the journal hears of it
    Pull second = pull(0);
    second.next();
    passLeases();
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofSeconds(2));
      step(second);
    }
    assertThat(arrived()).containsExactly("a0", "a0");
    assertThat(ledger.subscription("s0").parked()).isEmpty();
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
  void aDeadLetterThatIsWantedDuringAPauseIsSentOnceThatEnds() {
    Pull pull = withWantedDeadLetter();
    ledger.subscription("s0").pause(PauseScope.subscription(), "me", "test");
    append("b", 0); // whose page tells of the pause
    for (int i = 0; i < 5; i++) {
      assertThat(step(pull).messages()).isEmpty();
      clock.advance(Duration.ofSeconds(2));
    }
    assertThat(ledger.subscription("s0").parked()).hasSize(1);
    ledger.subscription("s0").resume(PauseScope.subscription());
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofSeconds(2));
      step(pull);
    }
    assertThat(arrived()).containsExactlyInAnyOrder("a0", "b0");
    assertThat(ledger.subscription("s0").parked()).isEmpty();
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
  @ParameterizedTest
  @ValueSource(ints = {8, Integer.MAX_VALUE})
  void aDeadLetterThatWasSentIsNotSentAgainBehindManyOthers(int large) {
    atOnce = large;
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
            message.position(),
            "",
            message.message(),
            ParkedState.DEAD,
            1,
            false,
            null,
            false,
            0,
            null),
        "too large",
        null);
  }

  /** Parks all that was handed out, and tells the pull that the rest has arrived. */
  private void parkAll(Pull pull) {
    Pulled pulled = pull.next();
    List<ParkedChange> changes =
        pulled.messages().stream().map(PulledDeadLettersTest::dead).toList();
    assertThat(pull.park(Map.of(0, changes))).isPresent();
    pull.committed();
  }

  private Pull withDeadLetters(int count) {
    Pull pull = pull(0);
    for (int i = 0; i < count; i++) {
      append("a", i);
      parkAll(pull);
    }
    clock.advance(Duration.ofSeconds(3));
    journal.heartbeat(pull.next()); // which looks for requests, and finds none
    pull.committed();
    return pull;
  }

  /** All of them within one interval of looks, whether they are wanted or discarded. */
  @Test
  void aLookThatFilledItsLimitIsFollowedByTheNext() {
    int count = 120;
    Pull pull = withDeadLetters(count);
    for (int i = 1; i <= count; i++) {
      ledger.subscription("s0").requestRetry(i, "");
    }
    clock.advance(Duration.ofSeconds(2));
    for (int i = 0; i < 4; i++) {
      journal.commit(pull.next());
      pull.committed();
    }
    assertThat(arrived()).hasSize(count).doesNotHaveDuplicates();
  }

  @Test
  void discardsDoNotWaitForOneAnother() {
    int count = 120;
    Pull pull = withDeadLetters(count);
    for (int i = 1; i <= count; i++) {
      ledger.subscription("s0").requestDiscard(i, "");
    }
    clock.advance(Duration.ofSeconds(2));
    for (int i = 0; i < 5; i++) {
      Pulled pulled = pull.next();
      assertThat(pulled.messages()).isEmpty();
      pull.committed();
    }
    assertThat(ledger.subscription("s0").parked()).isEmpty();
  }

  /** It was parked, and a crash before the commit left it open: the row alone is sent. */
  @Test
  void aDeadLetterWhosePositionIsOpenIsSentOnce() {
    append("a", 0);
    Pull first = pull(0);
    parked(first, first.next());
    first.close(); // before the journal has it
    Pull second = pull(0);
    second.next();
    passLeases();
    for (int i = 0; i < 3; i++) {
      step(second);
    }
    ledger.subscription("s0").requestRetry(1, "");
    assertArrivesOnce(second);
  }

  /** A batch of dead letters alone has no record that would tell the journal. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDeadLetterThatTheJournalHasNotHeardOfIsNotReadAgain(boolean isDiscarded) {
    append("a", 0);
    Pull first = pull(0);
    parked(first, first.next());
    first.committed();
    clock.advance(Duration.ofSeconds(2));
    if (isDiscarded) {
      ledger.subscription("s0").requestDiscard(1, "");
      step(first);
      clock.advance(Duration.ofSeconds(2));
      step(first);
    }
    first.release();
    first.close();
    Pull second = pull(0);
    for (int i = 0; i < 3; i++) {
      step(second);
      clock.advance(Duration.ofSeconds(2));
    }
    assertThat(arrived()).isEmpty();
    if (!isDiscarded) {
      ledger.subscription("s0").requestRetry(1, "");
      assertArrivesOnce(second);
    }
  }

  /** Its row stays until its position is read: without the row it would be sent once more. */
  @Test
  void aDeadLetterThatIsWantedBeforeItsPositionIsReadIsSentOnceAlsoAfterACrash() {
    Pull first = pull(0);
    journal.heartbeat(first.next());
    first.committed();
    for (int i = 0; i < 12; i++) { // a page has seven
      append("a", i);
    }
    first.next();
    first.committed();
    List<LedgerMessage> rest = first.next().messages();
    assertThat(first.park(Map.of(0, List.of(dead(rest.get(rest.size() - 1)))))).isPresent();
    first.close(); // before the journal has any of them
    ledger.subscription("s0").requestRetry(12, "");
    Pull second = pull(0);
    second.next();
    passLeases();
    step(second);
    second.next();
    second.close(); // before the rest has arrived
    Pull third = pull(0);
    third.next();
    passLeases();
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofSeconds(2));
      step(third);
    }
    assertThat(arrived()).hasSize(12).doesNotHaveDuplicates();
    assertThat(ledger.subscription("s0").parked()).isEmpty();
  }
}
