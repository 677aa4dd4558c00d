// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.Redelivery;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.ParkedState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a user chooses for a receiver: its options, and how long its inbox remembers. */
abstract class ReceivingChoiceContractTests extends ReceivedContractTests {

  @Test
  final void deadLetterBlocksItsKeyWhereThatIsTheChoice() {
    RetryPolicy blocking =
        OPTIONS.retry().withAttemptsMax(1).withDeadLetter(RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED);
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(blocking));
    fail("1");
    source.add(message("a", "1"), message("a", "2"));
    receiver.step(source);
    retry(receiver);
    assertThat(parked(ParkedState.DEAD)).containsExactly("1");
    assertThat(parked(ParkedState.HELD)).containsExactly("2");
    assertThat(inbox().parked().discard(ParkedSelection.of(ParkedState.DEAD))).isEqualTo(1);
    retry(receiver);
    assertThat(effects).containsExactly("2");
    failures.clear();
    source.rewind(0);
    receiver.step(source);
    assertThat(effects).containsExactly("2"); // what was discarded stays so
  }

  @Test
  final void streamPausesWhereNothingMoreMayBeParked() {
    Receiver<Integer> receiver = receiver(OPTIONS.withParkedMax(2));
    fail("1");
    source.add(message("a", "1"), message("a", "2"), message("b", "3"), message("a", "4"));
    receiver.step(source);
    assertThat(effects).containsExactly("3");
    assertThat(source.committed()).isEqualTo(3);
    assertThat(events).hasAtLeastOneElementOfType(ReceiverEvent.Full.class);
    failures.clear();
    retry(receiver);
    receiver.step(source);
    assertThat(effects).containsExactly("3", "1", "2", "4");
  }

  /** Otherwise what was parked would stay there for good, and its keys would lose their order. */
  @Test
  final void whatWasParkedIsRetriedWhereNothingMoreIsParked() {
    fail("1", "4");
    source.add(message("a", "1"));
    receiver(OPTIONS).step(source);
    Receiver<Integer> strict = receiver(OPTIONS.withoutParking());
    source.add(message("a", "2"), message("b", "3"));
    strict.step(source);
    source.add(message("c", "4"), message("d", "5"));
    strict.step(source);
    assertThat(effects).containsExactly("3");
    assertThat(parked(ParkedState.RETRYING)).containsExactly("1");
    assertThat(parked(ParkedState.HELD)).containsExactly("2");
    assertThat(source.committed()).isEqualTo(3);
    assertThat(source.pauses).hasSize(1);
    failures.clear();
    retry(strict);
    strict.step(source);
    strict.step(source);
    assertThat(effects).containsExactly("3", "1", "2", "4", "5");
    assertThat(parked()).isEmpty();
  }

  @Test
  final void receiverKnowsHowLongTheInboxRemembers() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    assertThat(receiver.check(new Redelivery("the topic", Duration.ofDays(14)))).isTrue();
    assertThat(receiver.check(new Redelivery("the topic", Duration.ofDays(15)))).isFalse();
    assertThat(receiver.check(new Redelivery("the topic", null))).isFalse();
  }

  @Test
  final void batchIsOneTransactionAndAFailureParksThePoisonedMessageAlone() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    source.add(message("a", "1"), message("b", "2"));
    receiver.step(source);
    assertThat(calls).containsExactly("1 in 0", "2 in 0");
    calls.clear();
    fail("4");
    source.add(message("c", "3"), message("d", "4"), message("e", "5"));
    receiver.step(source);
    assertThat(calls).containsExactly("3 in 1", "4 in 1", "3 in 2", "4 in 3", "4 in 4", "5 in 5");
    assertThat(parked()).extracting(row -> row.message().id()).containsExactly("4");
    assertThat(source.committed()).isEqualTo(5);
  }

  @Test
  final void eachMessageHasATransactionOfItsOwnWhereThatIsTheChoice() {
    Receiver<Integer> receiver = receiver(OPTIONS.withTransactionPerMessage());
    fail("2");
    source.add(message("a", "1"), message("b", "2"), message("c", "3"), message("b", "4"));
    receiver.step(source);
    assertThat(calls).containsExactly("1 in 0", "2 in 1", "3 in 2");
    assertThat(parked(ParkedState.RETRYING)).containsExactly("2");
    assertThat(parked(ParkedState.HELD)).containsExactly("4");
    failures.clear();
    retry(receiver);
    assertThat(effects).containsExactly("1", "3", "2", "4");
  }

  @Test
  final void whatComesAgainIsPassedOverInTransactionsOfTheirOwn() {
    Receiver<Integer> receiver = receiver(OPTIONS.withTransactionPerMessage());
    fail("2");
    source.add(message("a", "1"), message("b", "2"));
    receiver.step(source);
    source.rewind(0);
    source.add(message("a", "1"), message("c", "3"), message("c", "3"));
    receiver.step(source);
    assertThat(effects).containsExactly("1", "3");
    assertThat(parked()).hasSize(1);
    assertThat(source.committed()).isEqualTo(5);
  }
}
