// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.event.EventTypes;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaContext;
import io.outledger.saga.SagaStep;
import java.time.Duration;

/**
 * Renews a subscription once: takes the money, extends the access, and gives the money back on
 * failure. Its key is that of the renewal, never the subscription's, which is renewed again.
 */
final class RenewalSaga implements Saga<RenewalSaga.Renewal> {

  private static final Duration PATIENCE = Duration.ofDays(3);

  record RenewalDue(String renewal, int cents) {}

  record ChargeCard(String renewal, int cents) {}

  record PaymentTaken(String renewal, int cents) {}

  record PaymentMissing(String renewal) {}

  record ExtendAccess(String renewal) {}

  record AccessExtended(String renewal) {}

  record AccessRefused(String renewal) {}

  record RefundCard(String renewal, int cents) {}

  record PaymentRefunded(String renewal) {}

  record SubscriptionRenewed(String renewal) {}

  record SubscriptionLapsed(String renewal) {}

  /** The state: what the next steps need to know. */
  record Renewal(int cents) {}

  @Override
  public void define(SagaBuilder<Renewal> saga) {
    saga.name("renewal")
        .state(Renewal.class, t -> t.name("renewal.state"))
        .startedBy(RenewalDue.class, RenewalDue::renewal, this::charge)
        .on(PaymentTaken.class, PaymentTaken::renewal, this::extend)
        .on(AccessExtended.class, AccessExtended::renewal, this::finish)
        .on(AccessRefused.class, AccessRefused::renewal, (event, step) -> step.compensate())
        .on(PaymentRefunded.class, PaymentRefunded::renewal, (event, step) -> step.compensate())
        .onTimeout(PaymentMissing.class, this::lapse)
        .onMissing(PaymentTaken.class, this::giveBack)
        .compensation("payment", this::refund, PaymentRefunded.class);
  }

  private void charge(RenewalDue due, SagaStep<Renewal> step) {
    if (!step.isNew()) {
      return; // asked for twice: it is under way
    }
    step.become(new Renewal(due.cents()));
    step.append(new ChargeCard(step.key(), due.cents()));
    step.timeoutAfter("payment", PATIENCE, new PaymentMissing(step.key()));
    step.waitFor("the payment");
  }

  private void extend(PaymentTaken event, SagaStep<Renewal> step) {
    step.cancelTimeout("payment");
    step.done("payment");
    step.append(new ExtendAccess(step.key()));
    step.waitFor("the access");
  }

  private void finish(AccessExtended event, SagaStep<Renewal> step) {
    step.append(new SubscriptionRenewed(step.key()));
    step.end();
  }

  private void lapse(PaymentMissing event, SagaStep<Renewal> step) {
    step.append(new SubscriptionLapsed(step.key()));
    step.end(); // a payment that is on its way finds no saga, and is given back
  }

  private void giveBack(PaymentTaken event, SagaContext context) {
    context.append(new RefundCard(context.key(), event.cents()));
  }

  private void refund(SagaStep<Renewal> step) {
    step.append(new RefundCard(step.key(), step.state().cents()));
    step.waitFor("the refund"); // what was done before it is undone when that has come
  }

  static void events(EventTypes.Builder events) {
    events
        .register(
            RenewalDue.class, t -> t.name("renewal.due").topic("renewals").key(RenewalDue::renewal))
        .register(
            ChargeCard.class, t -> t.name("charge-card").topic("payments").key(ChargeCard::renewal))
        .register(
            PaymentTaken.class,
            t -> t.name("payment.taken").topic("renewals").key(PaymentTaken::renewal))
        .register(
            PaymentMissing.class,
            t -> t.name("payment.missing").topic("time-outs").key(PaymentMissing::renewal))
        .register(
            ExtendAccess.class,
            t -> t.name("extend-access").topic("access").key(ExtendAccess::renewal))
        .register(
            AccessExtended.class,
            t -> t.name("access.extended").topic("renewals").key(AccessExtended::renewal))
        .register(
            AccessRefused.class,
            t -> t.name("access.refused").topic("renewals").key(AccessRefused::renewal))
        .register(
            RefundCard.class, t -> t.name("refund-card").topic("payments").key(RefundCard::renewal))
        .register(
            PaymentRefunded.class,
            t -> t.name("payment.refunded").topic("renewals").key(PaymentRefunded::renewal))
        .register(
            SubscriptionRenewed.class,
            t -> t.name("subscription.renewed").topic("news").key(SubscriptionRenewed::renewal))
        .register(
            SubscriptionLapsed.class,
            t -> t.name("subscription.lapsed").topic("news").key(SubscriptionLapsed::renewal));
  }
}
