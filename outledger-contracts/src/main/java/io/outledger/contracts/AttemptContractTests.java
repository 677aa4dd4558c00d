// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.jdbc.admin.AttemptMade;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.store.FailedAttempt;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What happened each time that a relay tried what is parked now. */
abstract class AttemptContractTests extends AdminContractTests {

  private static final Reader READER = Reader.subscription(SUBSCRIPTION);
  private static final FailedAttempt SHORT_ONE = new FailedAttempt(Duration.ofMillis(7));

  private List<LedgerMessage> messages = List.of();

  private Owner ownerOf(String... keys) {
    append(keys);
    Owner owner = owner();
    messages = messagesOf(owner);
    settle(owner);
    return owner;
  }

  private ParkedChange park(int index, String route, int attempts, @Nullable FailedAttempt made) {
    LedgerMessage origin = messages.get(index);
    ParkedMessage row =
        new ParkedMessage(
            origin.position(),
            route,
            origin.message(),
            ParkedState.RETRYING,
            attempts,
            true,
            null,
            false,
            0,
            null);
    return new ParkedChange.Park(row, "cause " + attempts, AT_ONCE, made);
  }

  private ParkedChange fail(int index, String route, int attempts, @Nullable FailedAttempt made) {
    LedgerMessage origin = messages.get(index);
    return new ParkedChange.Fail(
        origin.position(),
        route,
        origin.message().id(),
        ParkedState.RETRYING,
        true,
        attempts,
        "cause " + attempts,
        AT_ONCE,
        made);
  }

  private ParkedChange remove(int index, String route) {
    LedgerMessage origin = messages.get(index);
    return new ParkedChange.Remove(origin.position(), route, origin.message().id());
  }

  private List<AttemptMade> attempts(int index, String route) {
    LedgerMessage origin = messages.get(index);
    return admin()
        .attempts(READER, new ParkedPoint(origin.position(), route, origin.message().id()));
  }

  private List<Integer> numbers(int index, String route) {
    return attempts(index, route).stream().map(AttemptMade::number).toList();
  }

  private long rows() {
    return count("SELECT COUNT(*) FROM outledger_attempt");
  }

  @Test
  final void eachAttemptHasItsNumberCauseTimeAndDuration() {
    Owner owner = ownerOf("a");
    owner.save(park(0, "", 1, SHORT_ONE));
    owner.save(fail(0, "", 2, FailedAttempt.UNTIMED));
    Parked parked = admin().parked(ParkedQuery.of(READER)).rows().get(0);
    List<AttemptMade> made = admin().attempts(READER, parked.place());
    assertThat(made)
        .extracting(each -> each.number() + " " + each.error() + " " + each.took())
        .containsExactly("1 cause 1 PT0.007S", "2 cause 2 null");
    assertThat(made.get(1).error()).isEqualTo(parked.error());
    assertThat(made.get(0).failedAt())
        .isBetween(parked.parkedAt().minusSeconds(1), parked.parkedAt().plusSeconds(1));
    assertThat(made.get(1).failedAt()).isAfterOrEqualTo(made.get(0).failedAt());
  }

  @Test
  final void firstAndLastOfManyAttemptsAreKept() {
    Owner owner = ownerOf("a");
    owner.save(park(0, "", 1, SHORT_ONE));
    for (int attempt = 2; attempt <= 12; attempt++) {
      owner.save(fail(0, "", attempt, SHORT_ONE));
      assertThat(rows()).isEqualTo(Math.min(attempt, 10));
    }
    assertThat(numbers(0, "")).containsExactly(1, 2, 3, 4, 5, 8, 9, 10, 11, 12);
    assertThat(attempts(0, "")).extracting(AttemptMade::error).contains("cause 5", "cause 8");
  }

  @Test
  final void attemptsOfRoutesThatFailAlternatelyAreApart() {
    Owner owner = ownerOf("a");
    owner.save(park(0, "mail", 1, SHORT_ONE), park(0, "stock", 1, SHORT_ONE));
    owner.save(fail(0, "mail", 2, SHORT_ONE));
    owner.save(fail(0, "stock", 2, SHORT_ONE));
    owner.save(fail(0, "mail", 3, SHORT_ONE));
    assertThat(numbers(0, "mail")).containsExactly(1, 2, 3);
    assertThat(numbers(0, "stock")).containsExactly(1, 2);
    owner.save(remove(0, "mail"));
    assertThat(numbers(0, "mail")).isEmpty();
    assertThat(numbers(0, "stock")).containsExactly(1, 2);
  }

  @Test
  final void eachMessageOfASaveHasItsOwn() {
    Owner owner = ownerOf("a", "b", "c", "d");
    owner.save(park(0, "", 1, SHORT_ONE), park(1, "", 1, SHORT_ONE), park(2, "", 1, SHORT_ONE));
    owner.save(
        fail(0, "", 2, SHORT_ONE),
        remove(1, ""),
        fail(1, "", 2, SHORT_ONE),
        park(3, "", 1, SHORT_ONE),
        fail(2, "", 2, SHORT_ONE));
    assertThat(numbers(0, "")).containsExactly(1, 2);
    assertThat(numbers(1, "")).isEmpty();
    assertThat(numbers(2, "")).containsExactly(1, 2);
    assertThat(numbers(3, "")).containsExactly(1);
  }

  @Test
  final void waitingIsNoAttempt() {
    Owner owner = ownerOf("a");
    owner.save(park(0, "", 0, null));
    owner.save(fail(0, "", 1, SHORT_ONE));
    owner.save(fail(0, "", 1, null));
    assertThat(numbers(0, "")).containsExactly(1);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  final void attemptAfterAnOperatorsRetryGoesOnCounting() {
    Owner owner = ownerOf("a");
    owner.save(park(0, "", 1, SHORT_ONE));
    assertThat(
            process()
                .parkedMessages(SUBSCRIPTION)
                .retry(
                    admin().parked(ParkedQuery.of(READER)).rows().get(0).place().ofSubscription()))
        .isTrue();
    assertThat(numbers(0, "")).containsExactly(1);
    owner.save(fail(0, "", 2, SHORT_ONE));
    assertThat(numbers(0, "")).containsExactly(1, 2);
  }

  @Test
  final void whatIsParkedOverAgainHasOnlyItsOwn() {
    Owner owner = ownerOf("a");
    owner.save(park(0, "", 1, SHORT_ONE));
    for (int attempt = 2; attempt <= 12; attempt++) {
      owner.save(fail(0, "", attempt, SHORT_ONE));
    }
    owner.save(park(0, "", 1, FailedAttempt.UNTIMED));
    assertThat(attempts(0, ""))
        .singleElement()
        .matches(only -> only.number() == 1 && only.took() == null);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  final void secondMessageOfAPositionHasNoneOfTheFirst() {
    Owner owner = ownerOf("a");
    owner.save(park(0, "", 1, SHORT_ONE));
    owner.save(fail(0, "", 2, SHORT_ONE));
    List<LedgerMessage> first = messages;
    messages =
        List.of(new LedgerMessage(first.get(0).position(), StoreContractTests.message("new")));
    assertThat(numbers(0, "")).isEmpty();
    owner.save(park(0, "", 1, SHORT_ONE));
    assertThat(numbers(0, "")).containsExactly(1);
    messages = first;
    assertThat(numbers(0, "")).containsExactly(1, 2);
  }

  @Test
  final void ownerThatWasSucceededNotesNothing() {
    Owner killed = ownerOf("a");
    killed.save(park(0, "", 1, SHORT_ONE));
    Owner successor = owner();
    successor.save(fail(0, "", 2, SHORT_ONE));
    assertThat(killed.trySave(killed.frontier(), fail(0, "", 2, FailedAttempt.UNTIMED)))
        .isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(attempts(0, "")).extracting(AttemptMade::took).containsOnly(SHORT_ONE.took());
    successor.save(fail(0, "", 3, SHORT_ONE));
    assertThat(numbers(0, "")).containsExactly(1, 2, 3);
  }

  @Test
  final void noAttemptOutlivesItsMessage() {
    Owner owner = ownerOf("a", "b", "c");
    parkAll(owner);
    LedgerMessage second = messages.get(1);
    owner.save(
        remove(0, ""), new ParkedChange.Remove(second.position(), "", second.message().id(), true));
    assertThat(rows()).isEqualTo(1);
    process().subscriptions().move(SUBSCRIPTION, Start.EARLIEST);
    assertThat(rows()).isZero();
    Owner last = owner();
    parkAll(last);
    last.release();
    process().subscriptions().delete(SUBSCRIPTION);
    assertThat(rows()).isZero();
  }

  private void parkAll(Owner owner) {
    owner.save(park(0, "", 1, SHORT_ONE), park(1, "", 1, SHORT_ONE), park(2, "", 1, SHORT_ONE));
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  final void attemptsAtNothingAreNone() {
    owner();
    assertThat(admin().attempts(READER, ParkedPoint.FIRST)).isEmpty();
    for (Reader nobody : List.of(Reader.subscription("other"), Reader.consumer("stock"))) {
      assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> admin().attempts(nobody, ParkedPoint.FIRST));
    }
  }
}
