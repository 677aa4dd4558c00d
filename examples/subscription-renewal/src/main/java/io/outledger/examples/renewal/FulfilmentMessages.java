// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import org.jspecify.annotations.Nullable;

/** What the saga and its partners say to one another, each about one renewal. */
final class FulfilmentMessages {

  private FulfilmentMessages() {}

  /** A command, to the saga: have this renewal paid and provided. */
  record FulfilRenewal(String renewalId, String subscriptionId, String plan, Payment payment) {}

  /** Who pays what. */
  record Payment(String payer, int cents, String currency) {}

  /** A command, to one receiver: take this payment. */
  record TakePayment(String renewalId, Payment payment) {}

  /** An event, and the answer to the command. */
  record PaymentTaken(String renewalId) {}

  /** An event, and the other answer. */
  record PaymentRefused(String renewalId) {}

  /** A time-out: there was neither answer. */
  record PaymentOverdue(String renewalId) {}

  /** A command, to one receiver: undo what that payment did. */
  record RefundPayment(String renewalId) {}

  /** A command, to one receiver: let the subscriber in. */
  record GrantAccess(String renewalId, String plan) {}

  /** An event, and the answer to the command. */
  record AccessGranted(String renewalId) {}

  /** An event, and the other answer. */
  record AccessRefused(String renewalId) {}

  /** A time-out: there was neither answer. */
  record AccessOverdue(String renewalId) {}

  /** A command, to one receiver: undo what that access did. */
  record RevokeAccess(String renewalId) {}

  /**
   * An event: it is paid and provided.
   *
   * @param payment null where the saga began before payments were stored with it
   */
  record RenewalFulfilled(String renewalId, String subscriptionId, @Nullable Payment payment) {}

  /** An event: it is not, and what was done for it, or is done later, is undone. */
  record RenewalFailed(String renewalId, String subscriptionId) {}
}
