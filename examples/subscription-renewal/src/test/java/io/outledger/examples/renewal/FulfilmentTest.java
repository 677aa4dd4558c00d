// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.examples.renewal.FulfilmentMessages.AccessGranted;
import io.outledger.examples.renewal.FulfilmentMessages.AccessRefused;
import io.outledger.examples.renewal.FulfilmentMessages.FulfilRenewal;
import io.outledger.examples.renewal.FulfilmentMessages.GrantAccess;
import io.outledger.examples.renewal.FulfilmentMessages.Payment;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentTaken;
import io.outledger.examples.renewal.FulfilmentMessages.RefundPayment;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFailed;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFulfilled;
import io.outledger.examples.renewal.FulfilmentMessages.RevokeAccess;
import io.outledger.examples.renewal.FulfilmentMessages.TakePayment;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.testing.SagaScenario;
import org.junit.jupiter.api.Test;

/** The saga, step by step, without a database. */
class FulfilmentTest {

  private static final String ID = "s-1/1";
  private static final Payment PAYMENT = new Payment("s-1", 6000, "EUR");

  private final SagaScenario<Fulfilment.Open> fulfilment =
      SagaScenario.of(new Fulfilment(), events());

  private static Events events() {
    EventTypes.Builder types = EventTypes.builder();
    FulfilmentContract.register(types);
    return Events.builder().types(types).serializer(JacksonSerializer.create()).build();
  }

  private void start() throws Exception {
    fulfilment.receive(new FulfilRenewal(ID, "s-1", "basic", PAYMENT));
  }

  @Test
  void renewalWithoutAnAnswerToThePaymentFailsInTime() throws Exception {
    start();
    assertThat(fulfilment.timeouts(ID)).containsOnlyKeys("payment");

    fulfilment.pass(Fulfilment.PATIENCE);

    assertThat(fulfilment.outbox().events(RenewalFailed.class))
        .containsExactly(new RenewalFailed(ID, "s-1"));
    assertThat(fulfilment.state(ID)).isEmpty();
  }

  /** As when a dead letter is retried after days. */
  @Test
  void paymentThatComesAfterItsTimeoutGoesBack() throws Exception {
    start();
    fulfilment.pass(Fulfilment.PATIENCE);
    fulfilment.receive(new PaymentTaken(ID));

    assertThat(fulfilment.outbox().events(RefundPayment.class))
        .containsExactly(new RefundPayment(ID));
    assertThat(fulfilment.state(ID)).isEmpty();
  }

  @Test
  void whatIsPaidAndProvidedIsFulfilled() throws Exception {
    start();
    fulfilment.receive(new PaymentTaken(ID));
    assertThat(fulfilment.timeouts(ID)).containsOnlyKeys("access");
    fulfilment.receive(new AccessGranted(ID));

    assertThat(fulfilment.outbox().events(RenewalFulfilled.class))
        .containsExactly(new RenewalFulfilled(ID, "s-1", PAYMENT));
    assertThat(fulfilment.outbox().events(RenewalFailed.class)).isEmpty();
    assertThat(fulfilment.state(ID)).isEmpty();
  }

  @Test
  void whatCostsNothingIsProvidedAtOnce() throws Exception {
    fulfilment.receive(new FulfilRenewal(ID, "s-1", "trial", new Payment("s-1", 0, "EUR")));

    assertThat(fulfilment.outbox().events(TakePayment.class)).isEmpty();
    assertThat(fulfilment.outbox().events(GrantAccess.class))
        .containsExactly(new GrantAccess(ID, "trial"));
  }

  @Test
  void withoutAnAnswerAboutTheAccessTheMoneyGoesBackAndALateAccessEnds() throws Exception {
    start();
    fulfilment.receive(new PaymentTaken(ID));
    fulfilment.pass(Fulfilment.PATIENCE);
    assertThat(fulfilment.outbox().events(RefundPayment.class)).hasSize(1);
    assertThat(fulfilment.outbox().events(RenewalFailed.class)).hasSize(1);
    fulfilment.receive(new AccessGranted(ID));

    assertThat(fulfilment.outbox().events(RevokeAccess.class))
        .containsExactly(new RevokeAccess(ID));
    assertThat(fulfilment.state(ID)).isEmpty();
  }

  @Test
  void withoutAccessTheMoneyGoesBack() throws Exception {
    start();
    fulfilment.receive(new PaymentTaken(ID));
    fulfilment.receive(new AccessRefused(ID));

    assertThat(fulfilment.outbox().events(RefundPayment.class))
        .containsExactly(new RefundPayment(ID));
    assertThat(fulfilment.outbox().events(RenewalFailed.class)).hasSize(1);
    assertThat(fulfilment.state(ID)).isEmpty();
  }
}
