// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.UnreadablePayloadException;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverStore;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** A receiver over the database: what it parks, and what comes once. */
abstract class ReceivingContractTests extends ReceivedContractTests {

  @Test
  final void poisonMessageHoldsItsKeyAndNoOther() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1");
    source.add(message("a", "1"), message("b", "2"), message("a", "3"), message(null, "4"));
    receiver.step(source);
    source.add(message("a", "5"), message("b", "6"));
    receiver.step(source);
    assertThat(effects).containsExactly("2", "4", "6");
    assertThat(source.committed()).isEqualTo(6);
    assertThat(source.pauses).isEmpty();
    assertThat(parked(ParkedState.RETRYING)).containsExactly("1");
    assertThat(parked(ParkedState.HELD)).containsExactly("3", "5");
    Parked first = parked().get(0);
    assertThat(first.error()).contains("no stock for 1");
    assertThat(first.attempts()).isEqualTo(1);
    assertThat(first.blocks()).isTrue();
    assertThat(first.nextAttemptAt()).isNotNull();
    assertThat(parked().get(1).nextAttemptAt()).isNull();
    assertThat(first.message().headers()).isEqualTo(Map.of("a", "ü"));
    assertThat(first.message().payloadBytes()).isEqualTo(1);
    assertThat(new InboxId(first.message().source(), first.message().id()))
        .isEqualTo(message("a", "1").inboxId());

    failures.clear();
    retry(receiver);
    source.add(message("a", "7"));
    receiver.step(source);
    assertThat(effects).containsExactly("2", "4", "6", "1", "3", "5", "7");
    assertThat(parked()).isEmpty();
  }

  @Test
  final void errorIsAFailureOfItsMessage() {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(2)));
    failures.put("2", new OutOfMemoryError("planted"));
    source.add(message("b", "2"), message("a", "1"), message("c", "3"));
    receiver.step(source);
    assertThat(effects).containsExactly("1", "3");
    assertThat(source.pauses).isEmpty();
    assertThat(parked(ParkedState.RETRYING)).containsExactly("2");
    retry(receiver);
    assertThat(parked(ParkedState.DEAD)).containsExactly("2");
    assertThat(parked().get(0).error()).contains("OutOfMemoryError", "planted");
  }

  @Test
  final void whatWasParkedBeforeACrashIsNeitherLostNorDoubled() {
    fail("1");
    source.add(message("a", "1"), message("a", "2"), message(null, "3"));
    receiver(OPTIONS).step(source);
    source.rewind(0); // it was parked, and the broker never learned of it
    Receiver<Integer> successor = receiver(OPTIONS);
    successor.step(source);
    assertThat(parked()).hasSize(2);
    assertThat(effects).containsExactly("3");
    failures.clear();
    retry(successor);
    source.rewind(0);
    successor.step(source);
    assertThat(effects).containsExactly("3", "1", "2");
    assertThat(parked()).isEmpty();
  }

  @Test
  final void deadLettersKeyGoesOnWithoutIt() {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(2)));
    fail("1");
    source.add(message("a", "1"), message("a", "2"));
    receiver.step(source);
    retry(receiver);
    assertThat(parked(ParkedState.DEAD)).containsExactly("1");
    assertThat(effects).containsExactly("2");
    failures.clear(); // a broker that delivers it again is no operator who wants it retried
    source.rewind(0);
    source.add(message("a", "3"));
    receiver.step(source);
    assertThat(effects).containsExactly("2", "3");
    assertThat(parked(ParkedState.DEAD)).containsExactly("1");
  }

  @Test
  final void deadLetterIsRetriedOnRequest() {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(1)));
    fail("1", "2");
    source.add(message("a", "1"), message("b", "2"), message("c", "3"));
    receiver.step(source);
    long number = parked().get(0).place().number();
    retry(receiver);
    assertThat(effects).containsExactly("3");
    failures.clear();
    assertThat(inbox().parked().retry(number)).isTrue();
    assertThat(inbox().parked().retry(number + 100)).isFalse();
    retry(receiver);
    assertThat(effects).containsExactly("3", "1");
    assertThat(inbox().parked().retry(ParkedSelection.ALL.withErrorText("stock"))).isEqualTo(1);
    retry(receiver);
    assertThat(effects).containsExactly("3", "1", "2");
  }

  @Test
  final void messageThatSomebodyElseHasTriedSinceItWasListedIsNotTried() throws Exception {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1");
    source.add(message("a", "1"));
    receiver.step(source);
    ReceiverStore slow = store();
    ParkedReceived listed = slow.due(10).get(0);
    receiver.retries().orElseThrow().step();
    assertThat(parked().get(0).attempts()).isEqualTo(2);
    calls.clear();
    failures.clear();
    assertThat(slow.retry(listed)).isFalse();
    assertThat(calls).isEmpty();
    assertThat(slow.retry(slow.due(10).get(0))).isTrue();
    assertThat(effects).containsExactly("1");
  }

  /** Such as an event that the handler appends. */
  @Test
  final void messageWhoseHandlerMakesSomethingInvalidDiesAtOnce() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    failures.put("1", new InvalidMessageException(ErrorCode.INVALID_MESSAGE, "no topic"));
    failures.put("2", new InvalidMessageException(ErrorCode.UNREADABLE_PAYLOAD, "unwritable"));
    // Another build may register what this one does not.
    failures.put("3", new InvalidMessageException(ErrorCode.UNREGISTERED_TYPE, "unknown"));
    source.add(message("a", "1"), message("b", "2"), message("c", "3"), message("a", "4"));
    receiver.step(source);
    assertThat(parked(ParkedState.DEAD)).containsExactly("1", "2");
    assertThat(parked(ParkedState.RETRYING)).containsExactly("3");
    assertThat(effects).containsExactly("4");
  }

  /** In a roll-out another instance, or the next release, can read it. */
  @Test
  final void messageThatTheCodeCannotReadIsTriedAgainInItsTurn() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    failures.put("1", unreadable());
    source.add(message("a", "1"), message("a", "behind 1"), message("b", "9"));
    receiver.step(source);
    assertThat(source.pauses).isEmpty();
    assertThat(effects).containsExactly("9");
    assertThat(parked(ParkedState.RETRYING)).containsExactly("1");
    assertThat(parked(ParkedState.HELD)).containsExactly("behind 1");
    failures.clear();
    retry(receiver);
    assertThat(parked()).isEmpty();
    assertThat(effects).containsExactly("9", "1", "behind 1");
  }

  private static UnreadablePayloadException unreadable() {
    return new UnreadablePayloadException(ErrorCode.UNREADABLE_PAYLOAD, "no JSON");
  }

  @Test
  final void whatStrangersSendOfATypeThatIsHandledStopsNothing() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    for (int i = 0; i < 50; i++) {
      failures.put("bad " + i, unreadable());
      source.add(message("k" + i, "bad " + i));
    }
    source.add(message("a", "good"));
    for (int i = 0; i < 60; i++) {
      receiver.step(source);
    }
    assertThat(source.pauses).isEmpty();
    assertThat(parked(ParkedState.RETRYING)).hasSize(50);
    assertThat(effects).containsExactly("good");
  }

  @Test
  final void outageParksNothingAndPauses() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    failures.put("1", new DestinationUnavailableException("the bank is closed", null));
    source.add(message("a", "1"), message("b", "2"));
    receiver.step(source);
    receiver.step(source);
    assertThat(source.pauses).hasSize(2);
    assertThat(parked()).isEmpty();
    failures.clear();
    receiver.step(source);
    receiver.step(source);
    assertThat(effects).containsExactly("1", "2");
  }

  @Test
  final void handlerThatFailsForEverythingPausesTheStreamAndParksLittle() {
    pausesTheStreamAndParksLittle(number -> new IllegalStateException("no stock for m" + number));
  }

  private void pausesTheStreamAndParksLittle(IntFunction<Exception> failure) {
    BreakerPolicy breaker =
        new BreakerPolicy(
            3,
            Duration.ofMinutes(1),
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)),
            100);
    Receiver<Integer> receiver = receiver(OPTIONS.withBreaker(breaker));
    for (int i = 0; i < 10; i++) {
      failures.put("m" + i, failure.apply(i));
      source.add(message("k" + i, "m" + i), message("k" + i, "behind m" + i));
    }
    for (int i = 0; i < 20; i++) {
      receiver.step(source);
      retry(receiver);
      clock.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    assertThat(parked(ParkedState.RETRYING)).containsExactly("m0", "m1");
    assertThat(parked(ParkedState.HELD)).containsExactly("behind m0", "behind m1");
    assertThat(parked()).allMatch(row -> row.attempts() <= 2);
    // And not of the breaker.
    assertThat(parked().get(0).error()).contains(failure.apply(0).getMessage());
    assertThat(source.committed()).isEqualTo(4);
    assertThat(events).hasAtLeastOneElementOfType(ReceiverEvent.BreakerOpened.class);
    failures.clear();
    receiver.step(source);
    receiver.step(source);
    fixture().letPass(Duration.ofSeconds(1));
    retry(receiver);
    assertThat(effects).hasSize(20).doesNotHaveDuplicates();
    assertThat(events).hasAtLeastOneElementOfType(ReceiverEvent.BreakerClosed.class);
  }
}
