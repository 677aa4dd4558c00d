// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.Events;
import io.outledger.event.TypeVersion;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaOutcome;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaRow;
import io.outledger.saga.SagaWork;
import io.outledger.testing.RenewalSaga.Charge;
import io.outledger.testing.RenewalSaga.Due;
import io.outledger.testing.RenewalSaga.Failed;
import io.outledger.testing.RenewalSaga.Late;
import io.outledger.testing.RenewalSaga.Paid;
import io.outledger.testing.RenewalSaga.Provision;
import io.outledger.testing.RenewalSaga.Provisioned;
import io.outledger.testing.RenewalSaga.Refund;
import io.outledger.testing.RenewalSaga.Refunded;
import io.outledger.testing.RenewalSaga.Refused;
import io.outledger.testing.RenewalSaga.Renewal;
import io.outledger.testing.RenewalSaga.Withdraw;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SagaScenarioTest {

  private final RenewalSaga saga = new RenewalSaga();
  private final SagaScenario<Renewal> renewal = SagaScenario.of(saga, RenewalSaga.EVENTS);

  private List<Object> appended() {
    return renewal.outbox().appended().stream().map(InMemoryOutbox.Appended::given).toList();
  }

  @Test
  void messagesStartMoveAndEndIt() throws Exception {
    assertThat(renewal.receive(new Due("s-1"))).isEqualTo(SagaOutcome.STARTED);
    assertThat(renewal.state("s-1")).contains(new Renewal("charging"));
    assertThat(renewal.timeouts("s-1")).containsOnlyKeys("payment");
    assertThat(renewal.receive(new Paid("s-1"))).isEqualTo(SagaOutcome.MOVED);
    assertThat(renewal.state("s-1")).contains(new Renewal("charging, provisioning"));
    assertThat(renewal.timeouts("s-1"))
        .containsOnlyKeys("provision")
        .containsValue(renewal.clock().now().plus(RenewalSaga.PROVISION));
    assertThat(renewal.receive(new Provisioned("s-1"))).isEqualTo(SagaOutcome.ENDED);
    assertThat(renewal.state("s-1")).isEmpty();
    assertThat(renewal.scheduled()).isEmpty();
    assertThat(appended()).containsExactly(new Charge("s-1"), new Provision("s-1"));
  }

  @Test
  void sagasOfOtherKeysAreApart() throws Exception {
    renewal.receive(new Due("s-1"));
    renewal.receive(new Due("s-2"));
    renewal.receive(new Paid("s-2"));
    assertThat(renewal.state("s-1")).contains(new Renewal("charging"));
    assertThat(renewal.state("s-2")).contains(new Renewal("charging, provisioning"));
  }

  @Test
  void starterOfASagaThatIsThereMovesThat() throws Exception {
    renewal.receive(new Due("s-1"));
    assertThat(renewal.receive(new Due("s-1"))).isEqualTo(SagaOutcome.MOVED);
    assertThat(appended()).containsExactly(new Charge("s-1"));
  }

  @Test
  void timeoutComesAtItsTimeAndNotBefore() throws Exception {
    renewal.receive(new Due("s-1"));
    assertThat(renewal.pass(RenewalSaga.PAYMENT.minusSeconds(1))).isEmpty();
    assertThat(renewal.pass(Duration.ofSeconds(1))).containsExactly(SagaOutcome.ENDED);
    assertThat(appended()).containsExactly(new Charge("s-1"), new Failed("s-1"));
    assertThat(renewal.state("s-1")).isEmpty();
  }

  @Test
  void timeoutOfAnEarlierSagaOfTheKeyIsIgnored() throws Exception {
    renewal.receive(new Due("s-1"));
    Message late = renewal.scheduled().get(0);
    renewal.receive(new Refused("s-1"));
    renewal.receive(new Refunded("s-1"));
    assertThat(renewal.receive(late)).isEqualTo(SagaOutcome.LATE);
    renewal.receive(new Due("s-1"));
    assertThat(renewal.receive(late)).isEqualTo(SagaOutcome.LATE);
    assertThat(renewal.timeouts("s-1")).containsOnlyKeys("payment");
  }

  @Test
  void timeoutThatNobodyScheduledIsIgnored() throws Exception {
    renewal.receive(new Due("s-1"));
    assertThat(renewal.receive(new Late("s-1"))).isEqualTo(SagaOutcome.LATE);
    assertThat(renewal.timeouts("s-1")).containsOnlyKeys("payment");
  }

  @Test
  void timeoutOfAnotherSagaIsNotItsOwn() throws Exception {
    renewal.receive(new Due("s-1"));
    Message ofRenewal = renewal.scheduled().get(0);
    SagaScenario<Renewal> other =
        SagaScenario.of(
            saga ->
                saga.name("other")
                    .state(Renewal.class, t -> t.name("other.state"))
                    .startedBy(Due.class, Due::text, (due, step) -> step.become(new Renewal("x")))
                    .onTimeout(Late.class, (late, step) -> step.end()),
            RenewalSaga.EVENTS);
    other.receive(new Due("s-1"));
    assertThat(other.receive(ofRenewal)).isEqualTo(SagaOutcome.NOT_CONCERNED);
    assertThat(other.state("s-1")).isPresent();
  }

  @Test
  void messageOfASagaThatIsNotThereGoesToItsHandler() throws Exception {
    assertThat(renewal.receive(new Refused("s-1"))).isEqualTo(SagaOutcome.MISSING_HANDLED);
    assertThat(appended()).containsExactly(new Failed("s-1"));
  }

  @Test
  void messageThatComesBetweenCompensationsLeavesItCompensating() throws Exception {
    renewal.receive(new Due("s-1"));
    renewal.receive(new Paid("s-1"));
    renewal.receive(new Refused("s-1"));
    assertThat(renewal.receive(new Due("s-1"))).isEqualTo(SagaOutcome.MOVED);
    assertThat(renewal.phase("s-1")).contains(SagaPhase.COMPENSATING);
    assertThat(renewal.receive(new Refunded("s-1"))).isEqualTo(SagaOutcome.ENDED);
  }

  @Test
  void timeoutOfTheWayForwardDoesNotComeWhileItCompensates() throws Exception {
    renewal.receive(new Due("s-1"));
    renewal.receive(new Paid("s-1"));
    Message late = renewal.scheduled().get(0);
    renewal.receive(new Refused("s-1"));
    assertThat(renewal.timeouts("s-1")).isEmpty();
    assertThat(renewal.pass(RenewalSaga.PROVISION)).isEmpty();
    assertThat(renewal.receive(late)).isEqualTo(SagaOutcome.LATE); // it was on its way
    assertThat(renewal.done("s-1")).containsExactly("charge");
    assertThat(appended()).doesNotContain(new Failed("s-1"));
  }

  @Test
  void sagaDoesNotEndWhileACompensationWaits() throws Exception {
    renewal.receive(new Due("s-1"));
    renewal.receive(new Paid("s-1"));
    saga.ends = true;
    assertCode(ErrorCode.INVALID_SAGA, () -> renewal.receive(new Refused("s-1")));
    assertThat(renewal.done("s-1")).containsExactly("charge", "provision");
    saga.ends = false;
    renewal.receive(new Refused("s-1"));
    assertThatThrownBy(() -> renewal.receive(new Provisioned("s-1")))
        .hasMessageContaining("not compensated for: charge");
    assertThat(renewal.receive(new Refunded("s-1"))).isEqualTo(SagaOutcome.ENDED);
  }

  @Test
  void compensationThatFailsIsNotForgottenWhereTheSagaIsToEnd() throws Exception {
    renewal.receive(new Due("s-1"));
    renewal.receive(new Paid("s-1"));
    saga.isRefundBroken = true;
    saga.isFailureCaught = true;
    saga.ends = true;
    assertThatThrownBy(() -> renewal.receive(new Refused("s-1")))
        .isInstanceOfSatisfying(
            OutledgerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SAGA))
        .hasRootCauseMessage("the bank does not answer");
    assertThat(renewal.done("s-1")).containsExactly("charge", "provision");
  }

  @Test
  void compensationThatFailsLeavesEverythingAsItWas() throws Exception {
    renewal.receive(new Due("s-1"));
    renewal.receive(new Paid("s-1"));
    saga.isRefundBroken = true;
    assertThatThrownBy(() -> renewal.receive(new Refused("s-1"))).hasMessageContaining("the bank");
    assertThat(renewal.phase("s-1")).contains(SagaPhase.RUNNING);
    assertThat(renewal.done("s-1")).containsExactly("charge", "provision");
    assertThat(renewal.timeouts("s-1")).containsOnlyKeys("provision");
    assertThat(appended()).doesNotContain(new Withdraw("s-1"));
    saga.isRefundBroken = false;
    renewal.receive(new Refused("s-1"));
    assertThat(appended()).endsWith(new Withdraw("s-1"), new Refund("s-1"));
  }

  @Test
  void compensationThatFailsIsNotForgottenWhereItsFailureIsCaught() throws Exception {
    renewal.receive(new Due("s-1"));
    renewal.receive(new Paid("s-1"));
    saga.isRefundBroken = true;
    saga.isFailureCaught = true;
    assertCode(ErrorCode.INVALID_SAGA, () -> renewal.receive(new Refused("s-1")));
    assertThat(renewal.done("s-1")).containsExactly("charge", "provision");
    assertThat(appended()).doesNotContain(new Withdraw("s-1"));
  }

  /** It would skip the one that has failed, and end as if it had run. */
  @Test
  void compensationThatFailsIsNotForgottenWhereOthersRunAfterIt() throws Exception {
    renewal.receive(new Due("s-1"));
    renewal.receive(new Paid("s-1"));
    saga.isRefundBroken = true;
    saga.isFailureCaught = true;
    saga.goesOn = true;
    assertCode(ErrorCode.INVALID_SAGA, () -> renewal.receive(new Refused("s-1")));
    assertThat(renewal.done("s-1")).containsExactly("charge", "provision");
    assertThat(renewal.phase("s-1")).contains(SagaPhase.RUNNING);
  }

  @Test
  void stateThatIsTooLargeIsRefused() throws Exception {
    renewal.receive(new Due("s-1"));
    renewal.receive(new Paid("s-1"));
    assertCode(ErrorCode.PAYLOAD_TOO_LARGE, () -> renewal.receive(new Paid("s-1")));
    assertThat(renewal.state("s-1")).contains(new Renewal("charging, provisioning"));
  }

  @Test
  void eventWithoutAKeyForTheSagaIsRefused() {
    for (String key : new String[] {"a\nb", "k".repeat(501)}) {
      byte[] payload = key.getBytes(StandardCharsets.UTF_8);
      Message bad = Message.to("renewal", "Due").key("k").payload(payload).build();
      assertCode(ErrorCode.INVALID_MESSAGE, () -> renewal.receive(bad));
    }
  }

  @Test
  void stateOfAnOlderVersionIsReadByUpcasts() {
    SagaWork<Renewal> work = SagaWork.of(saga, RenewalSaga.EVENTS);
    assertThat(work.state(row(1))).isEqualTo(new Renewal("old (of version 1)"));
    assertThat(work.state(row(2))).isEqualTo(new Renewal("old"));
  }

  private static SagaRow row(int version) {
    return new SagaRow(
        new SagaId("renewal", "s-1"),
        1,
        SagaPhase.RUNNING,
        new SagaRow.Progress(null, List.of(), List.of()),
        new TypeVersion("renewal.state", version),
        "old".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void twoStepsOnOneStateDoNotBothTakeEffect() {
    InMemorySagas sagas = new InMemorySagas();
    sagas.insert(row(2));
    assertCode(ErrorCode.SAGA_CHANGED, () -> sagas.insert(row(2)));
    assertCode(ErrorCode.SAGA_CHANGED, () -> sagas.update(row(2)));
    assertCode(ErrorCode.SAGA_CHANGED, () -> sagas.delete(row(2).id(), 2));
  }

  @Test
  void eventsOfTheApplicationAreNeeded() {
    assertCode(ErrorCode.UNREGISTERED_TYPE, () -> SagaScenario.of(saga, Events.builder().build()));
  }

  private interface Call {
    void run() throws Exception;
  }

  private static void assertCode(ErrorCode code, Call call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            OutledgerException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
