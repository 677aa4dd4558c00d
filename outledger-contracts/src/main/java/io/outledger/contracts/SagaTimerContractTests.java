// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.TripSaga.Expired;
import io.outledger.contracts.TripSaga.Planned;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.SagaTimer;
import io.outledger.jdbc.admin.SagaTimer.Place;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where the time-outs of sagas are, as operators see it. */
abstract class SagaTimerContractTests extends TripContractTests {

  @Test
  final void whyTellsTheTimeoutThatComesNext() throws Exception {
    saga.beside =
        step -> step.timeoutAfter("later", TripSaga.LATE.multipliedBy(2), new Expired("t-1"));
    receive(new Planned("t-1"));
    assertThat(app().admin().sagas().why(TRIP))
        .contains("its time-out bookings comes at ")
        .doesNotContain("later");
    assertThat(trip().saga().timers()).allMatch(each -> each.place() == Place.SCHEDULED).hasSize(2);
  }

  @Test
  final void timeoutIsToldAsItIsScheduledNow() throws Exception {
    receive(new Planned("t-1"));
    SagaTimer before = trip().saga().timers().get(0);
    app().requests().ask(DeliverNow.id(before.id()).by("anna", "a test"));
    SagaTimer after = trip().saga().timers().get(0);
    assertThat(after.due()).isBefore(before.due());
    assertThat(after.place()).isIn(Place.SCHEDULED, Place.UNDERWAY);
    assertThat(trip().saga().isStuck()).isFalse();
  }

  @Test
  final void sagaWhoseTimeoutNeverComesIsStuck() throws Exception {
    receive(new Planned("t-1"));
    receive(new Planned("t-2"));
    SagaTimer timer = trip().saga().timers().get(0);
    app().requests().ask(CancelScheduled.id(timer.id()).by("anna", "a test"));
    assertThat(stuckOnes()).containsExactly(TRIP);
    assertThat(app().admin().sagas().why(TRIP))
        .contains("saga trip of t-1 is stuck since ")
        .contains("its time-out bookings, due at ")
        .contains("never comes");
  }

  @Test
  final void timeoutThatIsParkedIsToldSo() throws Exception {
    parkTimeout(ParkedState.RETRYING);
    assertThat(trip().saga().timers()).extracting(SagaTimer::place).containsExactly(Place.PARKED);
    assertThat(trip().saga().isStuck()).isFalse();
  }

  /** It has another key, by which it is not found. */
  @Test
  final void timeoutThatIsADeadLetterLeavesItStuck() throws Exception {
    parkTimeout(ParkedState.DEAD);
    assertThat(trip().saga().timers()).extracting(SagaTimer::place).containsExactly(Place.DEAD);
    assertThat(trip().saga().isStuck()).isTrue();
    assertThat(app().admin().sagas().why(TRIP))
        .contains("is stuck since ")
        .contains("is a dead letter, message " + trip().saga().timers().get(0).id());
  }

  private void parkTimeout(ParkedState state) throws Exception {
    receive(new Planned("t-1"));
    SagaTimer timer = trip().saga().timers().get(0);
    Message message = timeout(timer.id()).copy().key("another").build();
    Received late = Received.of("travel", message);
    app().requests().ask(CancelScheduled.id(timer.id()).by("anna", "it has come"));
    inTransactionOf(
        transaction ->
            database()
                .received()
                .park(
                    transaction,
                    TripSaga.NAME,
                    List.of(late),
                    new ParkedFailure(state, true, 1, "planted", TripSaga.LATE)));
  }
}
