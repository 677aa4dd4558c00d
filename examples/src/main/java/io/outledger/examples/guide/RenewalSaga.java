// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.event.EventTypes;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaStep;
import java.time.Duration;

/** Renews a subscription: takes the money, extends the access, and gives both back on failure. */
final class RenewalSaga implements Saga<RenewalSaga.Renewal> {

  private static final Duration PATIENCE = Duration.ofDays(3);

  record RenewalDue(String subscription, int cents) {}

  record ChargeCard(String subscription, int cents) {}

  record PaymentTaken(String subscription) {}

  record PaymentMissing(String subscription) {}

  record ExtendAccess(String subscription) {}

  record AccessExtended(String subscription) {}

  record AccessRefused(String subscription) {}

  record RefundCard(String subscription, int cents) {}

  record PaymentRefunded(String subscription) {}

  record SubscriptionRenewed(String subscription) {}

  record SubscriptionLapsed(String subscription) {}

  /** The state: what the next steps need to know. */
  record Renewal(int cents) {}

  @Override
  public void define(SagaBuilder<Renewal> saga) {
    saga.name("renewal")
        .state(Renewal.class, t -> t.name("renewal.state"))
        .startedBy(RenewalDue.class, RenewalDue::subscription, this::charge)
        .on(PaymentTaken.class, PaymentTaken::subscription, this::extend)
        .on(AccessExtended.class, AccessExtended::subscription, this::finish)
        .on(AccessRefused.class, AccessRefused::subscription, (event, step) -> step.compensate())
        .on(
            PaymentRefunded.class,
            PaymentRefunded::subscription,
            (event, step) -> step.compensate())
        .onTimeout(PaymentMissing.class, this::lapse)
        .compensation("payment", this::refund);
  }

  private void charge(RenewalDue due, SagaStep<Renewal> step) {
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
    step.end();
  }

  private void refund(SagaStep<Renewal> step) {
    step.append(new RefundCard(step.key(), step.state().cents()));
    step.waitFor("the refund"); // what was done before it is undone when that has come
  }

  static void events(EventTypes.Builder events) {
    events
        .register(
            RenewalDue.class,
            t -> t.name("renewal.due").topic("renewals").key(RenewalDue::subscription))
        .register(
            ChargeCard.class,
            t -> t.name("card.charge").topic("payments").key(ChargeCard::subscription))
        .register(
            PaymentTaken.class,
            t -> t.name("payment.taken").topic("renewals").key(PaymentTaken::subscription))
        .register(
            PaymentMissing.class,
            t -> t.name("payment.missing").topic("renewals").key(PaymentMissing::subscription))
        .register(
            ExtendAccess.class,
            t -> t.name("access.extend").topic("access").key(ExtendAccess::subscription))
        .register(
            AccessExtended.class,
            t -> t.name("access.extended").topic("renewals").key(AccessExtended::subscription))
        .register(
            AccessRefused.class,
            t -> t.name("access.refused").topic("renewals").key(AccessRefused::subscription))
        .register(
            RefundCard.class,
            t -> t.name("card.refund").topic("payments").key(RefundCard::subscription))
        .register(
            PaymentRefunded.class,
            t -> t.name("payment.refunded").topic("renewals").key(PaymentRefunded::subscription))
        .register(
            SubscriptionRenewed.class,
            t ->
                t.name("subscription.renewed").topic("news").key(SubscriptionRenewed::subscription))
        .register(
            SubscriptionLapsed.class,
            t -> t.name("subscription.lapsed").topic("news").key(SubscriptionLapsed::subscription));
  }
}
