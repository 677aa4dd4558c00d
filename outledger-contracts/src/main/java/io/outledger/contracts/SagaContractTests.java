// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.contracts.TripSaga.Booked;
import io.outledger.contracts.TripSaga.CancelFlight;
import io.outledger.contracts.TripSaga.CancelHotel;
import io.outledger.contracts.TripSaga.Cancelled;
import io.outledger.contracts.TripSaga.Failed;
import io.outledger.contracts.TripSaga.Over;
import io.outledger.contracts.TripSaga.Planned;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.admin.SagaInfo;
import io.outledger.jdbc.admin.SagaQuery;
import io.outledger.relay.RunningRelay;
import io.outledger.saga.SagaRow;
import io.outledger.saga.SagaTimeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Sagas over the database: each step takes effect whole and once, on the state that it has read.
 */
abstract class SagaContractTests extends TripContractTests {

  private static final int THREADS = 4;
  private static final int MESSAGES = 10;

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  final void endThreads() {
    threads.shutdownNow();
  }

  private static void assertFails(ThrowingCallable call, ErrorCode... codes) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ReceiveFailedException.class, e -> assertThat(e.code()).isIn((Object[]) codes));
  }

  private boolean booked(String trip) throws Exception {
    receive(new Booked(trip));
    return true;
  }

  @Test
  final void messagesStartMoveAndEndIt() throws Exception {
    receive(new Planned("t-1"));
    assertThat(state()).isEqualTo("0");
    assertThat(scheduled()).isEqualTo(1);
    receive(new Booked("t-1"));
    assertThat(state()).isEqualTo("1");
    assertThat(scheduled()).isZero();
    assertThat(types()).containsExactly("Noted");
    assertThat(effects()).isEqualTo(1);
    receive(new Over("t-1"));
    assertThat(app().admin().sagas().find(TRIP)).isEmpty();
    assertThat(app().sagas().passedOver()).isEmpty();
  }

  @Test
  final void endCancelsWhatItWaitsFor() throws Exception {
    receive(new Planned("t-1"));
    receive(new Over("t-1"));
    assertThat(scheduled()).isZero();
    receive(new Planned("t-1"));
    assertThat(state()).isEqualTo("0");
  }

  @Test
  final void slowStepOfAnEarlierSagaOfTheKeyChangesNothing() throws Exception {
    receive(new Planned("t-1"));
    SagaRow first = row();
    receive(new Over("t-1"));
    receive(new Planned("t-1"));
    SagaRow second = row();
    SagaRow late =
        new SagaRow(
            TRIP,
            first.version() + 1,
            first.phase(),
            first.progress(),
            first.type(),
            "late".getBytes(UTF_8));
    boolean isUpdated = inTransactionOf(c -> database().sagas().update(c, late));
    assertThat(isUpdated).isFalse();
    boolean isDeleted = inTransactionOf(c -> database().sagas().delete(c, TRIP, first.version()));
    assertThat(isDeleted).isFalse();
    assertThat(row().version()).isEqualTo(second.version());
    assertThat(trip().saga().steps()).isEqualTo(1);
  }

  @Test
  final void stateOfANewerBuildIsNotWrittenOver() throws Exception {
    receive(new Planned("t-1"));
    write(newer("0" + TripSaga.ADDED + "gift"));
    Received booked = received(new Booked("t-1"));
    assertFails(() -> trips().handle(List.of(booked)), ErrorCode.SAGA_UNREADABLE);
    assertThat(state()).isEqualTo("0&gift");
    assertThat(effects()).isZero();
    write(newer("0"));
    trips().handle(List.of(booked));
    assertThat(state()).isEqualTo("1");
  }

  @Test
  final void stepThatFailsLeavesEverythingAsItWas() throws Exception {
    receive(new Planned("t-1"));
    Received booked = received(new Booked("t-1"));
    saga.beside =
        step -> {
          throw new IllegalStateException("planted");
        };
    assertFails(() -> trips().handle(List.of(booked)), ErrorCode.MESSAGE_REJECTED);
    assertThat(state()).isEqualTo("0");
    assertThat(scheduled()).isEqualTo(1);
    assertThat(types()).isEmpty();
    assertThat(effects()).isZero();
    saga.beside = null;
    trips().handle(List.of(booked));
    assertThat(state()).isEqualTo("1");
  }

  @Test
  final void messageThatComesTwiceMovesItOnce() throws Exception {
    Received planned = received(new Planned("t-1"));
    Received booked = received(new Booked("t-1"));
    trips().handle(List.of(planned, booked, booked));
    trips().handle(List.of(planned));
    trips().handle(List.of(booked));
    assertThat(state()).isEqualTo("1");
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  final void messageOfASagaThatIsNotThereIsCounted() throws Exception {
    receive(new Booked("t-1"));
    assertThat(app().admin().sagas().find(TRIP)).isEmpty();
    assertThat(effects()).isZero();
    assertThat(app().sagas().passedOver()).containsEntry("trip: Booked v1 without its saga", 1L);
    assertThat(app().admin().sagas().why(TRIP)).contains("has ended, or no message has started it");
  }

  @Test
  final void messageThatIsHandledWithoutItsSagaIsNotCounted() throws Exception {
    receive(new Over("t-1"));
    assertThat(app().sagas().passedOver()).isEmpty();
    assertThat(app().admin().sagas().find(TRIP)).isEmpty();
  }

  @Test
  final void messageThatIsTriedAgainIsCountedOnce() throws Exception {
    Received missing = received(new Booked("t-2"));
    Received planned = received(new Planned("t-1"));
    saga.beside =
        step -> {
          throw new IllegalStateException("planted");
        };
    // Both in one transaction, and then each in its own: the first is handled twice.
    assertFails(() -> trips().handle(List.of(missing, planned)), ErrorCode.MESSAGE_REJECTED);
    trips().handle(List.of(missing));
    assertThat(app().sagas().passedOver())
        .containsExactly(Map.entry("trip: Booked v1 without its saga", 1L));
  }

  @Test
  final void timeoutThatComesTooLateIsIgnored() throws Exception {
    receive(new Planned("t-1"));
    SagaTimeout before = trip().saga().progress().timeouts().get(0);
    Message late = timeout(before.token());
    receive(new Booked("t-1"));
    relayed(late);
    assertThat(state()).isEqualTo("1");
    assertThat(app().sagas().passedOver()).containsEntry("trip: Expired v1 too late", 1L);
  }

  /** A publisher may take its topic; and an older build may have taken it from the broker. */
  @Test
  final void timeoutComesByTheLedgerAndHasNoEffectWhereABrokerBringsIt() throws Exception {
    try (Outledger older = newApp()) {
      older.inbox(TripSaga.NAME).handler(older.sagas().handlers(new TripSaga())); // declares it
      receive(new Planned("t-1"));
      SagaTimeout waiting = trip().saga().progress().timeouts().get(0);
      assertThat(waiting.name()).isEqualTo("bookings");
      Message due = timeout(waiting.token());
      trips().handle(List.of(Received.of("travel", due)));
      assertThat(state()).isEqualTo("0");
      assertThat(trip().saga().progress().timeouts()).containsExactly(waiting);
      relayed(due);
      assertThat(state()).isEqualTo("expired");
      assertThat(trip().saga().progress().timeouts()).isEmpty();
      trips().handle(List.of(Received.of("travel again", due)));
      assertThat(trip().saga().steps()).isEqualTo(2);
      assertThat(app().sagas().passedOver()).isEmpty();
    }
  }

  @Test
  final void timeoutComesByTheLedger() {
    saga.timeout = Duration.ofMillis(1);
    app().outbox().inNewTransaction(new Planned("t-1"));
    assertExpires(app().relay(SUBSCRIPTION).saga(saga));
  }

  @Test
  final void relayBesideAReceiverHandsOverTimeoutsAlone() throws Exception {
    saga.timeout = Duration.ofMillis(1);
    app().outbox().inNewTransaction(new Planned("t-2"));
    receive(new Planned("t-1"));
    assertExpires(
        app().relay(SUBSCRIPTION).handler(TripSaga.NAME, app().sagas().timeoutHandlers(saga)));
    assertThat(app().admin().sagas().list(SagaQuery.ALL).rows())
        .extracting(SagaInfo::id)
        .containsExactly(TRIP);
  }

  private void assertExpires(RelayBuilder builder) {
    try (RunningRelay relay = builder.start()) {
      await(
          () -> app().admin().sagas().find(TRIP).map(trip -> trip.saga().steps()).orElse(0L) == 2);
      assertThat(state()).isEqualTo("expired");
      assertThat(scheduled()).isZero();
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  final void receiverWithoutARelayAnywhereIsToldOnceThatNoTimeoutComes() {
    assertThat(noRelays(() -> received("t-1", "t-2"))).hasSize(1);
    try (Outledger other = newApp();
        RunningRelay relay = app().relay(SUBSCRIPTION).saga(saga).start()) {
      BatchHandler others = other.sagas().receiver(new TripSaga());
      assertThat(noRelays(() -> handle(others, received(new Planned("t-3"))))).isEmpty();
      assertThat(relay.state()).isNotNull();
    }
  }

  private List<String> noRelays(Runnable work) {
    return fixture().logOf(work).stream()
        .filter(line -> line.startsWith("WARN") && line.contains("no relay has it"))
        .toList();
  }

  private void received(String... trips) {
    for (String trip : trips) {
      handle(trips(), received(new Planned(trip)));
    }
  }

  private static void handle(BatchHandler handler, Received message) {
    try {
      handler.handle(List.of(message));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  final void compensationsRunInReverseOrder() throws Exception {
    receive(new Planned("t-1"));
    receive(new Failed("t-1"));
    assertThat(types())
        .containsExactly(CancelFlight.class.getSimpleName(), CancelHotel.class.getSimpleName());
    assertThat(app().admin().sagas().find(TRIP)).isEmpty();
    assertThat(scheduled()).isZero();
  }

  @Test
  final void compensationThatWaitsIsMovedByItsAnswerAlone() throws Exception {
    saga.isFlightAwaited = true;
    receive(new Planned("t-1"));
    Message late = timeout(trip().saga().progress().timeouts().get(0).token());
    receive(new Failed("t-1"));
    assertThat(scheduled()).isZero();
    receive(new Failed("t-1"));
    relayed(late);
    assertThat(types()).containsExactly(CancelFlight.class.getSimpleName());
    assertThat(trip().saga().progress().done()).containsExactly("hotel", "flight");
    Received over = received(new Over("t-1"));
    assertFails(() -> trips().handle(List.of(over)), ErrorCode.INVALID_SAGA);
    assertThat(app().admin().sagas().why(TRIP))
        .startsWith("saga trip of t-1 compensates since ")
        .contains("waits for the airline; still to compensate for: flight, hotel");
    receive(new Cancelled("t-1"));
    assertThat(types())
        .containsExactly(CancelFlight.class.getSimpleName(), CancelHotel.class.getSimpleName());
    assertThat(app().admin().sagas().find(TRIP)).isEmpty();
  }

  @Test
  final void messageThatMeetsAnotherStepIsTriedAgainAndNeverMovesTheOldState() throws Exception {
    if (fixture().writers() == DatabaseFixture.Writers.ONE) {
      messagesAtTheSameTimeAllMoveIt(); // where nobody can meet a step
      return;
    }
    receive(new Planned("t-1"));
    Received first = received(new Booked("t-1"));
    saga.before =
        () -> {
          saga.before = null;
          await(threads.submit(() -> booked("t-1")));
        };
    // A database that refuses to change what another has changed since may find it out earlier.
    assertFails(
        () -> trips().handle(List.of(first)), ErrorCode.SAGA_CHANGED, ErrorCode.STORE_FAILED);
    assertThat(state()).isEqualTo("1");
    assertThat(effects()).isEqualTo(1);
    trips().handle(List.of(first));
    assertThat(state()).isEqualTo("2");
    assertThat(effects()).isEqualTo(2);
  }

  private static void await(Future<?> other) {
    try {
      other.get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  final void messagesAtTheSameTimeAllMoveIt() throws Exception {
    receive(new Planned("t-1"));
    int before = Integer.parseInt(state());
    try (Outledger other = newApp()) {
      BatchHandler others = other.sagas().receiver(new TripSaga());
      List<Future<?>> senders = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        BatchHandler instance = i % 2 == 0 ? trips() : others;
        senders.add(threads.submit(() -> sendAll(instance)));
      }
      for (Future<?> sender : senders) {
        sender.get();
      }
    }
    assertThat(state()).isEqualTo(String.valueOf(before + THREADS * MESSAGES));
    assertThat(effects()).isEqualTo(THREADS * MESSAGES);
    assertThat(trip().saga().steps()).isEqualTo(1 + THREADS * MESSAGES);
  }

  private boolean sendAll(BatchHandler instance) throws Exception {
    for (int i = 0; i < MESSAGES; i++) {
      Received booked = received(new Booked("t-1"));
      boolean isDone = false;
      for (int attempt = 0; !isDone && attempt < 1000; attempt++) {
        try {
          instance.handle(List.of(booked));
          isDone = true;
        } catch (ReceiveFailedException e) { // it met another, and comes again
          assertThat(e.code()).isIn(ErrorCode.SAGA_CHANGED, ErrorCode.STORE_FAILED);
        }
      }
      assertThat(isDone).isTrue();
    }
    return true;
  }
}
