// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.FulfilmentMessages.AccessGranted;
import io.outledger.examples.renewal.FulfilmentMessages.AccessRefused;
import io.outledger.examples.renewal.FulfilmentMessages.FulfilRenewal;
import io.outledger.examples.renewal.FulfilmentMessages.GrantAccess;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentOverdue;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentRefused;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentTaken;
import io.outledger.examples.renewal.FulfilmentMessages.RefundPayment;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFailed;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFulfilled;
import io.outledger.examples.renewal.FulfilmentMessages.TakePayment;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaContext;
import io.outledger.saga.SagaStep;
import java.time.Duration;

/**
 * The saga of a renewal: it is paid, then provided. Without an answer to the payment it fails in
 * time, and a payment that comes after that goes back, as it does without access. Its key is the
 * renewal, since a subscription is renewed again and again.
 */
final class Fulfilment implements Saga<Fulfilment.Open> {

  /** How long a payment may take. */
  static final Duration PATIENCE = Duration.ofDays(3);

  private static final String PAYMENT = "payment";

  /** What later steps need to know. */
  record Open(String subscriptionId, String plan) {}

  @Override
  public void define(SagaBuilder<Open> saga) {
    saga.name("fulfilment")
        .state(Open.class, type -> type.name("fulfilment.open"))
        .startedBy(FulfilRenewal.class, FulfilRenewal::renewalId, this::takePayment)
        .on(PaymentTaken.class, PaymentTaken::renewalId, this::grantAccess)
        .on(PaymentRefused.class, PaymentRefused::renewalId, (refused, step) -> fail(step))
        .onTimeout(PaymentOverdue.class, (overdue, step) -> fail(step))
        .onMissing(PaymentTaken.class, this::giveBackLate)
        .on(AccessGranted.class, AccessGranted::renewalId, this::succeed)
        .on(AccessRefused.class, AccessRefused::renewalId, this::giveBack)
        .compensation(PAYMENT, step -> step.append(new RefundPayment(step.key())));
  }

  private void takePayment(FulfilRenewal command, SagaStep<Open> step) {
    if (!step.isNew()) {
      return; // asked for twice: it is under way
    }
    step.become(new Open(command.subscriptionId(), command.plan()));
    step.append(new TakePayment(step.key(), command.payment()));
    step.timeoutAfter(PAYMENT, PATIENCE, new PaymentOverdue(step.key()));
    step.waitFor("the payment");
  }

  private void grantAccess(PaymentTaken taken, SagaStep<Open> step) {
    step.cancelTimeout(PAYMENT);
    step.done(PAYMENT);
    step.append(new GrantAccess(step.key(), step.state().plan()));
    step.waitFor("the access");
  }

  private void succeed(AccessGranted granted, SagaStep<Open> step) {
    step.append(new RenewalFulfilled(step.key(), step.state().subscriptionId()));
    step.end();
  }

  private void giveBack(AccessRefused refused, SagaStep<Open> step) throws Exception {
    step.append(new RenewalFailed(step.key(), step.state().subscriptionId()));
    step.compensate(); // and ends
  }

  private void giveBackLate(PaymentTaken taken, SagaContext context) {
    context.append(new RefundPayment(context.key()));
  }

  private static void fail(SagaStep<Open> step) {
    step.append(new RenewalFailed(step.key(), step.state().subscriptionId()));
    step.end();
  }
}
