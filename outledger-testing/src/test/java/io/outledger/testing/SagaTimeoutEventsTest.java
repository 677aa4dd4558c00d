// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.EventType;
import io.outledger.saga.SagaOutcome;
import io.outledger.testing.RenewalSaga.Due;
import io.outledger.testing.RenewalSaga.Failed;
import io.outledger.testing.RenewalSaga.Late;
import io.outledger.testing.RenewalSaga.Renewal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A time-out's event is guarded, enriched and mapped, as one that is appended. */
class SagaTimeoutEventsTest {

  private static SagaScenario<Renewal> renewal(Consumer<EventType.Builder<Late>> late) {
    return SagaScenario.of(new RenewalSaga(), RenewalSaga.events(late));
  }

  private static void refuses(ErrorCode code, String text, Consumer<EventType.Builder<Late>> late) {
    SagaScenario<Renewal> renewal = renewal(late);
    assertThatThrownBy(() -> renewal.receive(new Due("s-1")))
        .hasMessageContaining(text)
        .isInstanceOfSatisfying(
            OutledgerException.class, e -> assertThat(e.code()).isEqualTo(code));
    assertThat(renewal.state("s-1")).isEmpty();
    assertThat(renewal.scheduled()).isEmpty();
  }

  @Test
  void guardRefusesIt() {
    refuses(
        ErrorCode.GUARD_REFUSED,
        "not before noon",
        late -> late.guard((event, context) -> Optional.of("not before noon")));
  }

  @Test
  void mappingMakesItsMessage() throws Exception {
    SagaScenario<Renewal> renewal =
        renewal(
            late ->
                late.map(
                    (event, context) ->
                        List.of(
                            context
                                .message(new Late("hidden"))
                                .copy()
                                .header("by", "map")
                                .build())));
    renewal.receive(new Due("s-1"));
    assertThat(renewal.scheduled())
        .singleElement()
        .satisfies(message -> assertThat(message.headers()).containsEntry("by", "map"));
    assertThat(renewal.pass(RenewalSaga.PAYMENT)).containsExactly(SagaOutcome.ENDED);
    assertThat(renewal.outbox().events(Failed.class)).containsExactly(new Failed("hidden"));
  }

  @Test
  void enrichmentCompletesIt() throws Exception {
    SagaScenario<Renewal> renewal =
        renewal(late -> late.enrich((event, context) -> new Late(event.text() + " of anna")));
    renewal.receive(new Due("s-1"));
    renewal.pass(RenewalSaga.PAYMENT);
    assertThat(renewal.outbox().events(Failed.class)).containsExactly(new Failed("s-1 of anna"));
  }

  @Test
  void mappingToSeveralMessagesIsRefused() {
    refuses(
        ErrorCode.INVALID_MESSAGE,
        "made 2 messages",
        late -> late.map((event, context) -> List.of(event, event)));
  }

  @Test
  void mappingToAnotherTypeIsRefused() {
    refuses(
        ErrorCode.INVALID_SAGA,
        "does not come back as this time-out",
        late -> late.map((event, context) -> List.of(new Failed(event.text()))));
  }

  @Test
  void timeoutOfAnotherSagaDoesNotConcernThisOne() throws Exception {
    SagaScenario<Renewal> renewal = renewal(late -> {});
    renewal.receive(new Due("s-1"));
    Message waiting = renewal.scheduled().get(0);
    Message others = waiting.copy().header("saga", "another").build();
    assertThat(renewal.receive(others)).isEqualTo(SagaOutcome.NOT_CONCERNED);
    assertThat(renewal.state("s-1")).contains(new Renewal("charging"));
    assertThat(renewal.timeouts("s-1")).containsOnlyKeys("payment");
  }
}
