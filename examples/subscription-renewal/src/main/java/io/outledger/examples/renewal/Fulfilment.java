// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.examples.renewal.FulfilmentMessages.AccessGranted;
import io.outledger.examples.renewal.FulfilmentMessages.AccessOverdue;
import io.outledger.examples.renewal.FulfilmentMessages.AccessRefused;
import io.outledger.examples.renewal.FulfilmentMessages.FulfilRenewal;
import io.outledger.examples.renewal.FulfilmentMessages.GrantAccess;
import io.outledger.examples.renewal.FulfilmentMessages.Payment;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentOverdue;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentRefused;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentTaken;
import io.outledger.examples.renewal.FulfilmentMessages.RefundPayment;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFailed;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFulfilled;
import io.outledger.examples.renewal.FulfilmentMessages.RevokeAccess;
import io.outledger.examples.renewal.FulfilmentMessages.TakePayment;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaStep;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The saga of a renewal: it is paid, then provided. If one of them is refused, or not answered
 * within three days, the renewal fails; what was done for it is undone, and so is what is done
 * later. Its key is the renewal, since a subscription is renewed again and again.
 *
 * <p>Each partner appends its one answer in the transaction of what it has done. One that may
 * answer twice would have to be asked, once the saga has ended, what an answer is about.
 */
final class Fulfilment implements Saga<Fulfilment.Open> {

  /** How long each answer may take. */
  static final Duration PATIENCE = Duration.ofDays(3);

  private static final String PAYMENT = "payment";
  private static final String ACCESS = "access";

  /**
   * What later steps need to know.
   *
   * @param payment null where the saga began before payments were stored with it
   */
  record Open(String subscriptionId, String plan, @Nullable Payment payment) {}

  @Override
  public void define(SagaBuilder<Open> saga) {
    saga.name("fulfilment")
        .state(
            Open.class,
            type ->
                type.name("fulfilment.open")
                    .version(2)
                    .upcast(1, 2, ObjectNode.class, Upcasts::withPayment))
        .startedBy(FulfilRenewal.class, FulfilRenewal::renewalId, this::begin)
        .on(PaymentTaken.class, PaymentTaken::renewalId, this::paid)
        .on(PaymentRefused.class, PaymentRefused::renewalId, (refused, step) -> fail(step))
        .onTimeout(PaymentOverdue.class, (overdue, step) -> fail(step))
        .onMissing(PaymentTaken.class, (late, now) -> now.append(new RefundPayment(now.key())))
        .on(AccessGranted.class, AccessGranted::renewalId, this::succeed)
        .on(AccessRefused.class, AccessRefused::renewalId, (refused, step) -> fail(step))
        .onTimeout(AccessOverdue.class, (overdue, step) -> fail(step))
        .onMissing(AccessGranted.class, (late, now) -> now.append(new RevokeAccess(now.key())))
        .compensation(PAYMENT, step -> step.append(new RefundPayment(step.key())));
  }

  private void begin(FulfilRenewal command, SagaStep<Open> step) {
    if (!step.isNew()) {
      return; // asked for twice: it is under way
    }
    step.become(new Open(command.subscriptionId(), command.plan(), command.payment()));
    if (command.payment().cents() == 0) {
      grantAccess(step);
      return;
    }
    step.append(new TakePayment(step.key(), command.payment()));
    step.timeoutAfter(PAYMENT, PATIENCE, new PaymentOverdue(step.key()));
    step.waitFor("the payment");
  }

  private void paid(PaymentTaken taken, SagaStep<Open> step) {
    step.cancelTimeout(PAYMENT);
    step.done(PAYMENT);
    grantAccess(step);
  }

  private static void grantAccess(SagaStep<Open> step) {
    step.append(new GrantAccess(step.key(), step.state().plan()));
    step.timeoutAfter(ACCESS, PATIENCE, new AccessOverdue(step.key()));
    step.waitFor("the access");
  }

  private void succeed(AccessGranted granted, SagaStep<Open> step) {
    Open open = step.state();
    step.append(new RenewalFulfilled(step.key(), open.subscriptionId(), open.payment()));
    step.end();
  }

  private static void fail(SagaStep<Open> step) throws Exception {
    step.append(new RenewalFailed(step.key(), step.state().subscriptionId()));
    step.compensate(); // where there is something to undo; and ends
  }
}
