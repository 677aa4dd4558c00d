// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.admin.AttemptMade;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What happened each time that a receiver tried what is parked now. */
abstract class ReceivedAttemptContractTests extends ReceivedContractTests {

  private static final Reader READER = Reader.consumer("stock");
  private static final Duration TOOK = Duration.ofMillis(7);

  private int tries;

  /** Takes a while, and fails. */
  private void tryInVain(Connection connection, Received message) {
    tries++;
    clock.nanos.addAndGet(TOOK.toNanos());
    throw new IllegalStateException("cause " + tries);
  }

  private Receiver<Integer> failing(int attemptsMax) {
    ReceiverOptions options = OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(attemptsMax));
    return new Receiver<>(
        inbox().handler(this::tryInVain),
        new ReceiverContext("test", options, events::add, clock, new SplittableRandom(1)));
  }

  private List<AttemptMade> attempts() {
    Admin admin = process().admin();
    List<Parked> parked = admin.parked(ParkedQuery.of(READER)).rows();
    assertThat(parked).hasSize(1);
    return admin.attempts(READER, parked.get(0).place());
  }

  private long rows() {
    return count("SELECT COUNT(*) FROM outledger_inbox_attempt");
  }

  @Test
  final void firstAndLastAttemptsOfADeadLetterAreKept() {
    Receiver<Integer> receiver = failing(12);
    source.add(message("a", "1"));
    receiver.step(source);
    assertThat(attempts())
        .singleElement()
        .matches(first -> first.number() == 1 && TOOK.equals(first.took()));
    while (parked(ParkedState.DEAD).isEmpty()) {
      retry(receiver);
    }
    assertThat(tries).isEqualTo(12);
    List<AttemptMade> made = attempts();
    assertThat(made)
        .extracting(AttemptMade::number)
        .containsExactly(1, 2, 3, 4, 5, 8, 9, 10, 11, 12);
    assertThat(made)
        .allSatisfy(each -> assertThat(each.error()).endsWith("cause " + each.number()))
        .allSatisfy(each -> assertThat(each.took()).isEqualTo(TOOK));
    assertThat(made).extracting(AttemptMade::failedAt).isSorted();
  }

  @Test
  final void whatSucceedsOrIsDiscardedLeavesNone() {
    fail("1", "2");
    Receiver<Integer> receiver = receiver(OPTIONS);
    source.add(message("a", "1"), message("b", "2"));
    receiver.step(source);
    assertThat(rows()).isEqualTo(2);
    failures.remove("1");
    retry(receiver);
    assertThat(parked(ParkedState.RETRYING)).containsExactly("2");
    assertThat(attempts()).isNotEmpty();
    assertThat(inbox().parked().discard(parked().get(0).place().number())).isTrue();
    retry(receiver);
    assertThat(parked()).isEmpty();
    assertThat(rows()).isZero();
  }

  @Test
  final void outageIsNoAttempt() {
    fail("1");
    Receiver<Integer> receiver = receiver(OPTIONS);
    source.add(message("a", "1"), message("a", "2"));
    receiver.step(source);
    failures.put("1", new DestinationUnavailableException("no vendor", null));
    retry(receiver);
    assertThat(parked(ParkedState.HELD)).containsExactly("2");
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  final void attemptThatAnotherInstanceHasCountedIsNotNotedTwice() {
    fail("1");
    source.add(message("a", "1"));
    receiver(OPTIONS).step(source);
    ReceiverStore store = ((ParkingHandler) inbox().handler((connection, one) -> {})).store();
    ParkedReceived seen = store.due(1).get(0);
    store.fail(seen, second(FailedAttempt.UNTIMED));
    store.fail(seen, second(new FailedAttempt(TOOK)));
    assertThat(attempts()).extracting(AttemptMade::number).containsExactly(1, 2);
    assertThat(attempts().get(1).took()).isNull();
  }

  private static ParkedFailure second(FailedAttempt attempt) {
    return new ParkedFailure(ParkedState.RETRYING, true, 2, "late", Duration.ZERO, attempt);
  }
}
