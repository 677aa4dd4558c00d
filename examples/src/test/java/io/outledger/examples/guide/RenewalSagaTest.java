// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.examples.guide.RenewalSaga.AccessExtended;
import io.outledger.examples.guide.RenewalSaga.AccessRefused;
import io.outledger.examples.guide.RenewalSaga.ChargeCard;
import io.outledger.examples.guide.RenewalSaga.PaymentRefunded;
import io.outledger.examples.guide.RenewalSaga.PaymentTaken;
import io.outledger.examples.guide.RenewalSaga.RefundCard;
import io.outledger.examples.guide.RenewalSaga.Renewal;
import io.outledger.examples.guide.RenewalSaga.RenewalDue;
import io.outledger.examples.guide.RenewalSaga.SubscriptionLapsed;
import io.outledger.examples.guide.RenewalSaga.SubscriptionRenewed;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.testing.SagaScenario;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RenewalSagaTest {

  private static Events events() {
    EventTypes.Builder types = EventTypes.builder();
    RenewalSaga.events(types);
    return Events.builder().types(types).serializer(JacksonSerializer.create()).build();
  }

  private final SagaScenario<Renewal> renewal = SagaScenario.of(new RenewalSaga(), events());

  @Test
  void subscriptionLapsesWithoutAPayment() throws Exception {
    renewal.receive(new RenewalDue("r-1", 990));
    assertThat(renewal.state("r-1")).contains(new Renewal(990));
    assertThat(renewal.timeouts("r-1")).containsOnlyKeys("payment");

    renewal.pass(Duration.ofDays(3));
    assertThat(renewal.outbox().events(SubscriptionLapsed.class)).hasSize(1);
    assertThat(renewal.state("r-1")).isEmpty();
  }

  @Test
  void paymentThatComesAfterItsTimeoutIsGivenBack() throws Exception {
    renewal.receive(new RenewalDue("r-1", 990));
    renewal.pass(Duration.ofDays(3));
    renewal.receive(new PaymentTaken("r-1", 990));
    assertThat(renewal.outbox().events(RefundCard.class))
        .containsExactly(new RefundCard("r-1", 990));
  }

  /** A button that was pressed twice, also while the money is given back. */
  @Test
  void renewalThatIsDueTwiceIsChargedOnce() throws Exception {
    renewal.receive(new RenewalDue("r-1", 990));
    renewal.receive(new RenewalDue("r-1", 990));
    renewal.receive(new PaymentTaken("r-1", 990));
    renewal.receive(new AccessRefused("r-1"));
    renewal.receive(new RenewalDue("r-1", 990));
    assertThat(renewal.outbox().events(ChargeCard.class)).hasSize(1);
    assertThat(renewal.pass(Duration.ofDays(3))).isEmpty();
  }

  @Test
  void paymentStopsTheTimeout() throws Exception {
    renewal.receive(new RenewalDue("r-1", 990));
    renewal.receive(new PaymentTaken("r-1", 990));
    assertThat(renewal.pass(Duration.ofDays(3))).isEmpty();
    renewal.receive(new AccessExtended("r-1"));
    assertThat(renewal.outbox().events(SubscriptionRenewed.class)).hasSize(1);
    assertThat(renewal.state("r-1")).isEmpty();
  }

  @Test
  void moneyIsGivenBackWithoutAccess() throws Exception {
    renewal.receive(new RenewalDue("r-1", 990));
    renewal.receive(new PaymentTaken("r-1", 990));
    renewal.receive(new AccessRefused("r-1"));
    assertThat(renewal.outbox().events(RefundCard.class))
        .containsExactly(new RefundCard("r-1", 990));
    renewal.receive(new PaymentRefunded("r-1"));
    assertThat(renewal.state("r-1")).isEmpty();
  }
}
