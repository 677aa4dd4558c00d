// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.FulfilmentMessages.Payment;
import io.outledger.examples.renewal.Prices.Price;
import org.jspecify.annotations.Nullable;

/** The events that the aggregate raises. They change with the model: nobody else reads them. */
final class DomainEvents {

  private DomainEvents() {}

  /** What a renewal makes of a subscription. */
  record Terms(String plan, String way, int months) {}

  /**
   * A subscription is to go on.
   *
   * @param renewal in which way
   * @param price of a month; the aggregate does not know it, and the enrichment adds it
   */
  record RenewalRequested(
      String renewalId,
      String subscriptionId,
      String plan,
      Renewal renewal,
      @Nullable Price price) {}

  /** A subscription goes on; it is paid and provided. */
  record SubscriptionRenewed(
      String subscriptionId, String planBefore, Terms terms, Payment payment) {}

  /** A renewal has come to nothing, and the subscription is as it was. */
  record RenewalDeclined(String renewalId) {}
}
