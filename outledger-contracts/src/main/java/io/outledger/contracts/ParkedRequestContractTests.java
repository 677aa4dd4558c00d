// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.FailureGroup;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator asks of parked messages: pinned to what he saw, at a rate, to a known end. */
abstract class ParkedRequestContractTests extends DatabaseContractTests {

  private static final String WHO = "anna";
  private static final String WHY = "the vendor is back";
  private static final ParkedSelection DEAD = ParkedSelection.of(ParkedState.DEAD);
  private static final Reader READER = Reader.subscription(SUBSCRIPTION);

  private Owner owner;

  @BeforeEach
  final void own() {
    owner = owner();
  }

  private Requests requests() {
    return process().requests();
  }

  private void parkDead(long from, long to) {
    owner.save(
        LongStream.rangeClosed(from, to)
            .mapToObj(position -> ParkedRows.park(position, "k" + position, ParkedState.DEAD, null))
            .toArray(ParkedChange[]::new));
  }

  private static Request retry(Which which, Pace pace) {
    return new Verb.Retry(READER, which, pace).by(WHO, WHY);
  }

  private static Which all() {
    return new Which.Selected(DEAD);
  }

  @Test
  final void retryEndsWhenItsOwnerHasTriedEachAgain() {
    parkDead(1, 3);
    Request request = retry(all(), Pace.UNLIMITED);
    RequestStatus noted = requests().ask(request);
    assertThat(noted.state()).isEqualTo(RequestState.RUNNING);
    assertThat(noted.total()).isEqualTo(3);
    assertThat(noted.done()).isZero();
    owner.save(ParkedRows.remove(1, ""), ParkedRows.fail(2, 2, null));
    RequestStatus half = later(request);
    assertThat(half.state()).isEqualTo(RequestState.RUNNING);
    assertThat(half.done()).isEqualTo(2);
    owner.save(ParkedRows.remove(3, ""));
    RequestStatus end = later(request);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.done()).isEqualTo(3);
    assertThat(end.result())
        .isEqualTo(
            "3 asked for: 2 came through or went to a later request, 1 failed again,"
                + " 0 wait for their owner");
  }

  @Test
  final void discardEndsWhenItsOwnerHasRemovedThem() {
    parkDead(1, 2);
    Request request = new Verb.Discard(READER, all(), Pace.UNLIMITED).by(WHO, WHY);
    assertThat(requests().ask(request).state()).isEqualTo(RequestState.RUNNING);
    owner
        .store()
        .discards(ParkedPlace.FIRST, 10)
        .forEach(row -> owner.save(ParkedRows.remove(row.position(), "")));
    assertThat(later(request).result())
        .isEqualTo("2 asked for: 2 are gone or went to a later request, 0 wait for their owner");
  }

  @Test
  final void laterRequestReplacesTheEarlierOneWhichSaysSo() {
    parkDead(1, 3);
    Request discard = new Verb.Discard(READER, all(), Pace.UNLIMITED).by(WHO, WHY);
    requests().ask(discard);
    assertThat(requests().ask(retry(all(), Pace.UNLIMITED)).total()).isEqualTo(3);
    assertThat(later(discard).result())
        .isEqualTo("3 asked for: 3 are gone or went to a later request, 0 wait for their owner");
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10)).isEmpty();
    assertThat(owner.due()).hasSize(3);
  }

  @Test
  final void attemptThatDoesNotCountLeavesTheRequestWaiting() {
    parkDead(1, 1);
    Request request = retry(all(), Pace.UNLIMITED);
    requests().ask(request);
    owner.save(ParkedRows.fail(1, 1, LONG));
    assertThat(later(request).state()).isEqualTo(RequestState.RUNNING);
    owner.save(ParkedRows.fail(1, 2, LONG));
    assertThat(later(request).state()).isEqualTo(RequestState.DONE);
  }

  @Test
  final void selectionThatFitsNothingIsDoneAndSaysSo() {
    parkDead(1, 1);
    RequestStatus none =
        requests().ask(retry(new Which.Selected(DEAD.withTopic("other")), Pace.UNLIMITED));
    assertThat(none.state()).isEqualTo(RequestState.DONE);
    assertThat(none.total()).isZero();
    assertThat(none.result()).startsWith("no parked message fits");
    RequestStatus route =
        requests().ask(retry(new Which.Selected(DEAD.withRoute("mial")), Pace.UNLIMITED));
    assertThat(route.state()).isEqualTo(RequestState.REFUSED);
    assertThat(route.code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.code());
    ParkedPlace nowhere = new ParkedPlace("mial", 1, new UUID(0, 0));
    RequestStatus place = requests().ask(retry(new Which.Place(nowhere), Pace.UNLIMITED));
    assertThat(place.code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.code());
  }

  @Test
  final void whatFailedAlikeIsAskedForInStepsHoweverFarItIsBetweenOthers() {
    parkDead(1, 1_500);
    execute("UPDATE outledger_parked SET error = 'no stock of 7' WHERE position IN (3, 9, 1400)");
    ParkedSelection alike = DEAD.withFailure(FailureGroup.of("no stock of 12"));
    RequestStatus refused =
        requests().ask(retry(new Which.Selected(alike, null, 2L), Pace.UNLIMITED));
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(owner.due()).isEmpty();
    Request request = retry(new Which.Selected(alike, null, 3L), Pace.UNLIMITED);
    requests().ask(request);
    assertThat(later(request).total()).isEqualTo(3);
    assertThat(owner.due()).extracting(row -> row.position()).containsExactly(3L, 9L, 1_400L);
  }

  @Test
  final void onlyWhatWasParkedByThenIsMeant() {
    parkDead(1, 1);
    Instant seen = requests().ask(new Verb.Delete("x").by(WHO, WHY)).changedAt();
    fixture().letPass(Duration.ofMillis(5));
    parkDead(2, 2);
    RequestStatus status =
        requests().ask(retry(new Which.Selected(DEAD, seen, null), Pace.UNLIMITED));
    assertThat(status.total()).isEqualTo(1);
    assertThat(owner.due()).extracting(row -> row.position()).containsExactly(1L);
  }

  @Test
  final void moreThanWasShownIsRefusedAndNothingIsNoted() {
    parkDead(1, 3);
    RequestStatus refused =
        requests().ask(retry(new Which.Selected(DEAD, null, 2L), Pace.UNLIMITED));
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.result()).contains("than the 2 that were shown");
    assertThat(owner.due()).isEmpty();
    assertThat(requests().ask(retry(new Which.Selected(DEAD, null, 3L), Pace.UNLIMITED)).total())
        .isEqualTo(3);
  }

  @Test
  final void keyIsReleasedByADiscardAndItsMessageComesBackByAReplay() {
    append("a", "a");
    List<LedgerMessage> all = messagesOf(owner);
    settle(owner);
    owner.save(
        ParkedRows.park(all.get(0), "", ParkedState.DEAD, null),
        ParkedRows.park(all.get(1), "", ParkedState.HELD, null));
    owner.release();
    UUID dead = all.get(0).message().id();
    Which one = new Which.Place(new ParkedPlace("", 1, dead));
    requests().ask(new Verb.Discard(READER, one, Pace.UNLIMITED).by(WHO, WHY));
    assertThat(relayUntil(published -> !published.isEmpty()))
        .extracting(Message::id)
        .containsExactly(all.get(1).message().id());
    ReplayRange range = ReplayRange.ALL.withIds(Set.of(dead));
    requests().ask(new Verb.Replay(SUBSCRIPTION, "", range, Pace.UNLIMITED).by(WHO, WHY));
    assertThat(relayUntil(published -> !published.isEmpty()))
        .extracting(Message::id)
        .containsExactly(dead);
  }

  @Test
  final void rateIsKept() {
    parkDead(1, 5);
    Request request = retry(all(), new Pace(2, 0));
    long from = TimeSource.system().nanoTime();
    long total;
    do {
      total = requireNonNull(requests().ask(request).total());
      assertThat(total).isBetween(2L, atMost(2, from));
      fixture().letPass(Duration.ofMillis(20));
    } while (total < 5);
  }

  @Test
  final void stopsByItselfWhenSoManyHaveFailedAgain() {
    parkDead(1, 4);
    Request request = retry(all(), new Pace(0, 2));
    requests().ask(request);
    owner.save(ParkedRows.fail(1, 2, null), ParkedRows.fail(2, 2, null));
    RequestStatus stopped = later(request);
    assertThat(stopped.state()).isEqualTo(RequestState.STOPPED);
    assertThat(stopped.result())
        .startsWith("stopped, because 2 have failed again: 4 asked for: 0 came through")
        .endsWith(", 2 failed again, 2 are left as they were");
    assertThat(owner.due()).isEmpty();
  }

  @Test
  final void stoppedRequestIsTakenBackFromWhatWaits() {
    parkDead(1, 3);
    Request request = retry(all(), Pace.UNLIMITED);
    requests().ask(request);
    owner.save(ParkedRows.remove(1, ""));
    RequestStatus stopped = requests().stop(request.id());
    assertThat(stopped.state()).isEqualTo(RequestState.STOPPED);
    assertThat(stopped.done()).isEqualTo(1);
    assertThat(stopped.result())
        .isEqualTo(
            "stopped: 3 asked for: 1 came through or went to a later request, 0 failed again,"
                + " 2 are left as they were");
    assertThat(owner.due()).isEmpty();
    assertThat(requests().stop(request.id())).isEqualTo(stopped);
    assertThat(requests().ask(request)).isEqualTo(stopped);
    assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> requests().stop(UUID.randomUUID()));
  }

  @Test
  final void twoOperatorsAtOnceAreAnsweredForThemselves() {
    parkDead(1, 2);
    Request one = retry(all(), Pace.UNLIMITED);
    Request other = new Verb.Discard(READER, all(), Pace.UNLIMITED).by("bert", "hopeless");
    requests().ask(one);
    assertThat(requests().ask(other).total()).isEqualTo(2);
    assertThat(owner.due()).isEmpty();
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10)).hasSize(2);
    assertThat(later(one).state()).isEqualTo(RequestState.DONE);
    assertThat(later(other).state()).isEqualTo(RequestState.RUNNING);
  }

  @Test
  final void consumersRetryEndsWhenItHasTriedAgain() throws Exception {
    try (Outledger receiving = Outledger.builder(dataSource()).withoutRetention().build()) {
      ReceiverStore store =
          ((ParkingHandler) receiving.inbox("stock").handler((connection, message) -> {})).store();
      Received message = ReceivedContractTests.message("7", "1");
      store.park(message, new ParkedFailure(ParkedState.DEAD, true, 3, "no stock", AT_ONCE), 10);
      Request request =
          new Verb.Retry(Reader.consumer("stock"), all(), Pace.UNLIMITED).by(WHO, WHY);
      assertThat(requests().ask(request).total()).isEqualTo(1);
      store.carryOutRequests(10);
      assertThat(later(request).state()).isEqualTo(RequestState.RUNNING);
      ParkedReceived due = store.due(10).get(0);
      store.fail(due, new ParkedFailure(ParkedState.DEAD, true, 4, "no stock", AT_ONCE));
      RequestStatus end = later(request);
      assertThat(end.state()).isEqualTo(RequestState.DONE);
      assertThat(end.result()).contains("1 failed again");
    }
  }
}
