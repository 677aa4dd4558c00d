// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Outbox;
import io.outledger.OutledgerException;
import io.outledger.contracts.TripSaga.Booked;
import io.outledger.contracts.TripSaga.Expired;
import io.outledger.contracts.TripSaga.Failed;
import io.outledger.contracts.TripSaga.Planned;
import io.outledger.event.EventHandlers;
import io.outledger.event.Events;
import io.outledger.inbox.Received;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.SagaInfo;
import io.outledger.jdbc.admin.SagaQuery;
import io.outledger.jdbc.admin.StoredTypes;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.reading.StuckReads;
import io.outledger.relay.RunningRelay;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaRow;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Sagas in a relay, and what operators see of them. */
abstract class SagaOperatorContractTests extends TripContractTests {

  /** Each saga again, under another name. */
  private static final String RENEWALS =
      "INSERT INTO outledger_saga (saga, saga_key, version, phase, state_type, state_version,"
          + " payload, started_at, changed_at) SELECT 'renewal', saga_key, version, phase,"
          + " state_type, state_version, payload, started_at, changed_at FROM outledger_saga";

  @Test
  final void operatorsSeeWhatItWaitsFor() throws Exception {
    receive(new Planned("t-1"));
    receive(new Planned("t-2"));
    receive(new Planned("t-3"));
    List<SagaInfo> first = app().admin().sagas().list(SagaQuery.ALL.withLimit(2)).rows();
    assertThat(first).extracting(info -> info.id().key()).containsExactly("t-1", "t-2");
    assertThat(
            app()
                .admin()
                .sagas()
                .list(SagaQuery.ALL.withSaga("trip").after(first.get(1).id()))
                .rows())
        .extracting(info -> info.id().key())
        .containsExactly("t-3");
    assertThat(app().admin().sagas().list(SagaQuery.ALL.withSaga("none")).rows()).isEmpty();
    SagaInfo info = trip().saga();
    assertThat(info.phase()).isEqualTo(SagaPhase.RUNNING);
    assertThat(info.progress().waitsFor()).isEqualTo("the bookings");
    assertThat(info.progress().done()).containsExactly("hotel", "flight");
    assertThat(info.type()).hasToString("trip.state v1");
    assertThat(info.stateBytes()).isEqualTo(1);
    assertThat(info.isStuck()).isFalse();
    assertThat(info.changedAt()).isAfterOrEqualTo(info.startedAt());
    assertThat(app().admin().sagas().why(TRIP))
        .startsWith("saga trip of t-1 waits since ")
        .contains("for the bookings; its time-out bookings comes at ");
  }

  @Test
  final void stuckOnesAreCountedByName() throws Exception {
    assertThat(app().admin().sagas().stuck()).isEmpty();
    for (String key : List.of("t-1", "t-2", "t-3")) {
      receive(new Planned(key));
    }
    assertThat(app().admin().sagas().stuck()).containsExactly(entry("trip", Count.NONE));
    park("t-1", ParkedState.DEAD);
    park("t-1", ParkedState.DEAD);
    park("t-2", ParkedState.RETRYING);
    park("none", ParkedState.DEAD);
    execute(RENEWALS);
    assertThat(app().admin().sagas().stuck())
        .containsExactly(entry("renewal", Count.NONE), entry("trip", new Count(1, false)));
    assertThat(stuckOnes()).containsExactly(TRIP);
  }

  @Test
  final void deadLettersOfOneNameHideThoseOfNoOther() throws Exception {
    for (String key : List.of("t-1", "t-2", "t-3")) {
      receive(new Planned(key));
      park("renewal", key, ParkedState.DEAD);
    }
    park("t-1", ParkedState.DEAD);
    execute(RENEWALS);
    assertThat(new StuckReads(database().adminReads(dataSource())).count(2, 2))
        .containsExactly(entry("renewal", new Count(2, true)), entry("trip", new Count(1, false)));
  }

  @Test
  final void whyTellsANameThatNobodyHasFromAKeyThatIsNotThere() throws Exception {
    SagaId none = new SagaId("tripp", "t-1");
    assertThat(app().admin().sagas().why(none)).startsWith("no saga is named tripp here: ");
    receive(new Planned("t-2"));
    assertThat(app().admin().sagas().why(TRIP))
        .startsWith("there is no saga trip of t-1: it has ended, or no message has started it")
        .doesNotContain("dead letter");
    park("t-1", ParkedState.DEAD);
    assertThat(app().admin().sagas().why(TRIP)).endsWith(": retry or discard it");
  }

  private void park(String key, ParkedState state) throws Exception {
    park(TripSaga.NAME, key, state);
  }

  private void park(String consumer, String key, ParkedState state) throws Exception {
    Received booked = received(new Booked(key));
    ParkedFailure failure = new ParkedFailure(state, true, 1, "planted", TripSaga.LATE);
    inTransactionOf(
        transaction -> database().received().park(transaction, consumer, List.of(booked), failure));
  }

  @Test
  final void rowThatSomebodyHasChangedIsTold() throws Exception {
    receive(new Planned("t-1"));
    receive(new Planned("t-2"));
    execute("UPDATE outledger_saga SET timeouts = 'x=y' WHERE saga_key = 't-1'");
    assertThat(app().admin().sagas().list(SagaQuery.ALL).rows()).hasSize(2);
    assertThat(app().admin().sagas().why(TRIP)).contains("somebody to correct its row");
    Received booked = received(new Booked("t-1"));
    assertThatThrownBy(() -> trips().handle(List.of(booked)))
        .isInstanceOfSatisfying(
            OutledgerException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SAGA_UNREADABLE));
  }

  @Test
  final void stepNeedsATransaction() throws Exception {
    EventHandlers<EventContext> handlers =
        EventHandlers.inTransactions(app().events(), app().sagas().handlers(saga));
    Received planned = received(new Planned("t-1"));
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(true);
      EventHandlers.Call<EventContext> call = handlers.read(planned);
      assertThatThrownBy(
              () -> call.run(new Call(connection, app().outbox().on(connection), planned)))
          .hasMessageContaining(ErrorCode.NO_TRANSACTION.code());
    }
    assertThat(app().admin().sagas().find(TRIP)).isEmpty();
  }

  @Test
  final void handlersWithoutATransactionAreRefusedAtTheStart() {
    assertCode(
        ErrorCode.INVALID_SAGA,
        () -> EventHandlers.of(app().events(), app().sagas().handlers(saga)));
    assertCode(
        ErrorCode.INVALID_SAGA,
        () -> EventHandlers.of(app().events(), app().sagas().timeoutHandlers(saga)));
  }

  @Test
  final void buildMustReadTheStatesOfSagasAndWhatTheyWaitFor() throws Exception {
    receive(new Planned("t-1"));
    receive(new Planned("t-2"));
    Events events = app().events();
    StoredTypes stored = app().admin().storedTypes(events, saga);
    assertThat(stored.all())
        .extracting(each -> each.type() + " " + each.counts().scheduled())
        .containsExactly("Expired v1 2");
    assertThat(stored.states())
        .singleElement()
        .hasToString("trip.state v1 (the state of 2 sagas trip)");
    assertThatNoException().isThrownBy(stored::requireRead);

    Saga<TripSaga.Trip> newer =
        saga ->
            saga.name(TripSaga.NAME)
                .state(TripSaga.Trip.class, t -> t.name("trip.state.renamed"))
                .startedBy(Planned.class, Planned::text, (event, step) -> step.end());
    Saga<TripSaga.Trip> alt = // takes that class, but not of trips
        saga ->
            saga.name("other")
                .state(TripSaga.Trip.class, t -> t.name("other.state"))
                .startedBy(Planned.class, Planned::text, (event, step) -> step.end())
                .onTimeout(Expired.class, (event, step) -> step.end());
    for (StoredTypes unread :
        List.of(app().admin().storedTypes(events), app().admin().storedTypes(events, newer, alt))) {
      assertThat(unread.unreadStates()).hasSize(1);
      assertThat(unread.unread())
          .extracting(each -> each.type().toString())
          .containsExactly("Expired v1"); // the events have it, and no saga takes it
      assertCode(ErrorCode.UNREGISTERED_TYPE, unread::requireRead);
    }
    Events none = Events.builder().serializer(TripSaga.TEXTS).build();
    assertThat(app().admin().storedTypes(none, saga).unread()).hasSize(1);
  }

  @Test
  final void buildMustKnowWhatANewerOneHasAddedToASaga() throws Exception {
    receive(new Planned("t-1"));
    receive(new Planned("t-2"));
    write(newer("0" + TripSaga.ADDED + "gift"));
    StoredTypes stored = app().admin().storedTypes(app().events(), saga);
    assertThat(stored.states()).extracting(each -> each.sagas()).containsExactly(1L, 1L);
    assertThat(stored.unreadStates())
        .singleElement()
        .asString()
        .startsWith("trip.state v1 (the state of 1 sagas trip): OUT-015")
        .contains("does not have", "gift");
    assertCode(ErrorCode.UNREGISTERED_TYPE, stored::requireRead);
  }

  @Test
  final void buildMustHaveTheCompensationsOfWhatWasDone() throws Exception {
    receive(new Planned("t-1"));
    SagaRow row = row();
    write(
        new SagaRow(
            TRIP,
            row.version() + 1,
            row.phase(),
            new SagaRow.Progress(null, row.progress().timeouts(), List.of("hotel", "car")),
            row.type(),
            row.state()));
    StoredTypes stored = app().admin().storedTypes(app().events(), saga);
    assertThat(stored.unreadStates()).singleElement().asString().contains("has done \"car\"");
    assertCode(ErrorCode.UNREGISTERED_TYPE, stored::requireRead);
  }

  /** In a roll-out that is an older instance, which has the lease for a while yet. */
  @Test
  final void messageOfASagaOfANewerBuildIsKeptWithoutAnAttempt() throws Exception {
    receive(new Planned("t-1"));
    write(newer("0" + TripSaga.ADDED + "gift"));
    app().outbox().inNewTransaction(new Booked("t-1"));
    try (RunningRelay relay = app().relay(SUBSCRIPTION).saga(saga).start()) {
      await(() -> !trip().parked().isEmpty());
      Parked kept = trip().parked().get(0);
      assertThat(kept.state()).isEqualTo(ParkedState.RETRYING);
      assertThat(kept.attempts()).isZero();
      assertThat(kept.error()).contains(ErrorCode.SAGA_UNREADABLE.code(), "gift");
      assertThat(app().admin().sagas().why(TRIP))
          .contains("is tried again")
          .contains("which this build cannot read");
      write(newer("0")); // as if the newer build had the lease now
      app().parkedMessages(SUBSCRIPTION).retryAll();
      await(() -> state().equals("1"));
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  final void twoSagasOfOneNameAreRefused() {
    app().sagas().receiver(saga);
    assertCode(ErrorCode.INVALID_SAGA, () -> app().sagas().receiver(new TripSaga()));
  }

  @Test
  final void sagaIsStuckBehindADeadLetterUntilThatIsRetried() {
    saga.beside =
        step -> {
          if (step.isCompensating()) {
            throw new InvalidMessageException(ErrorCode.INVALID_MESSAGE, "planted");
          }
        };
    app().outbox().inNewTransaction(new Planned("t-1"), new Failed("t-1"));
    try (RunningRelay relay = app().relay(SUBSCRIPTION).saga(saga).start()) {
      await(
          () -> app().admin().sagas().find(TRIP).map(trip -> trip.saga().isStuck()).orElse(false));
      assertThat(trip().parked()).extracting(Parked::state).containsExactly(ParkedState.DEAD);
      assertThat(trip().saga().phase()).isEqualTo(SagaPhase.RUNNING);
      assertThat(types()).containsExactly("Planned", "Failed");
      assertThat(app().admin().sagas().why(TRIP))
          .contains("saga trip of t-1 is stuck since ")
          .contains("(Failed) of subscription contract is a dead letter")
          .contains("planted: retry or discard it");
      saga.beside = null;
      app().parkedMessages(SUBSCRIPTION).retryAll();
      await(() -> app().admin().sagas().find(TRIP).isEmpty());
      assertThat(types()).containsExactly("Planned", "Failed", "CancelFlight", "CancelHotel");
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  final void sagaIsStuckBehindADeadLetterOfItsReceiver() throws Exception {
    receive(new Planned("t-1"));
    receive(new Planned("t-2"));
    park("t-1", ParkedState.DEAD);
    assertThat(stuckOnes()).containsExactly(TRIP);
    assertThat(app().admin().sagas().why(TRIP))
        .contains("saga trip of t-1 is stuck since ")
        .contains("is a dead letter");
  }

  @Test
  final void itsHandlerKeepsItsNameWhileItRuns() throws Exception {
    receive(new Planned("t-1"));
    RequestStatus status =
        app()
            .requests()
            .ask(Verb.Rename.consumer(TripSaga.NAME, "journey").by("anna", "a better name"));
    assertThat(status.state()).isEqualTo(RequestState.REFUSED);
    assertThat(status.result()).contains("have not ended");
  }

  /** What a handler gets that somebody calls who has no transaction. */
  private record Call(Connection connection, Outbox outbox, Received message)
      implements EventContext {

    @Override
    public OptionalLong position() {
      return OptionalLong.empty();
    }

    @Override
    public OptionalInt attempt() {
      return OptionalInt.empty();
    }
  }
}
