// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.event.EventTypes;
import io.outledger.examples.renewal.FulfilmentMessages.AccessGranted;
import io.outledger.examples.renewal.FulfilmentMessages.AccessOverdue;
import io.outledger.examples.renewal.FulfilmentMessages.AccessRefused;
import io.outledger.examples.renewal.FulfilmentMessages.FulfilRenewal;
import io.outledger.examples.renewal.FulfilmentMessages.GrantAccess;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentOverdue;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentRefused;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentTaken;
import io.outledger.examples.renewal.FulfilmentMessages.RefundPayment;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFailed;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFulfilled;
import io.outledger.examples.renewal.FulfilmentMessages.RevokeAccess;
import io.outledger.examples.renewal.FulfilmentMessages.TakePayment;

/** The types of the saga's messages. Those of one renewal have its id as their key, for order. */
final class FulfilmentContract {

  private static final String FULFILMENT = "fulfilment";
  private static final String PAYMENTS = "payments";
  private static final String ACCESS = "access";

  private FulfilmentContract() {}

  static void register(EventTypes.Builder events) {
    commands(events);
    answers(events);
    outcomes(events);
  }

  /** A command is named by its receiver, in the imperative, and has the receiver's topic. */
  private static void commands(EventTypes.Builder events) {
    events
        .register(
            FulfilRenewal.class,
            type -> type.name("fulfil-renewal").topic(FULFILMENT).key(FulfilRenewal::renewalId))
        .register(
            TakePayment.class,
            type ->
                type.name("take-payment")
                    .version(2)
                    .topic(PAYMENTS)
                    .key(TakePayment::renewalId)
                    .upcast(1, 2, ObjectNode.class, Upcasts::withRenewalAndPayment))
        .register(
            RefundPayment.class,
            type -> type.name("refund-payment").topic(PAYMENTS).key(RefundPayment::renewalId))
        .register(
            GrantAccess.class,
            type -> type.name("grant-access").topic(ACCESS).key(GrantAccess::renewalId))
        .register(
            RevokeAccess.class,
            type -> type.name("revoke-access").topic(ACCESS).key(RevokeAccess::renewalId));
  }

  private static void answers(EventTypes.Builder events) {
    events
        .register(
            PaymentTaken.class,
            type ->
                type.name("payment.taken")
                    .version(2)
                    .topic(FULFILMENT)
                    .key(PaymentTaken::renewalId)
                    .upcast(1, 2, ObjectNode.class, Upcasts::withRenewal))
        .register(
            PaymentRefused.class,
            type ->
                type.name("payment.refused")
                    .version(2)
                    .topic(FULFILMENT)
                    .key(PaymentRefused::renewalId)
                    .upcast(1, 2, ObjectNode.class, Upcasts::withRenewal))
        .register(
            PaymentOverdue.class,
            type -> type.name("payment.overdue").topic("time-outs").key(PaymentOverdue::renewalId))
        .register(
            AccessOverdue.class,
            type -> type.name("access.overdue").topic("time-outs").key(AccessOverdue::renewalId))
        .register(
            AccessGranted.class,
            type -> type.name("access.granted").topic(FULFILMENT).key(AccessGranted::renewalId))
        .register(
            AccessRefused.class,
            type -> type.name("access.refused").topic(FULFILMENT).key(AccessRefused::renewalId));
  }

  private static void outcomes(EventTypes.Builder events) {
    events
        .register(
            RenewalFulfilled.class,
            type ->
                type.name("renewal.fulfilled")
                    .version(2)
                    .topic("subscriptions")
                    .key(RenewalFulfilled::subscriptionId)
                    .upcast(1, 2, ObjectNode.class, Upcasts::withPayment))
        .register(
            RenewalFailed.class,
            type ->
                type.name("renewal.failed")
                    .topic("subscriptions")
                    .key(RenewalFailed::subscriptionId));
  }
}
