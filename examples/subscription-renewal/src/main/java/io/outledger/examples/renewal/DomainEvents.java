// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

/** The events that the aggregate raises. They change with the model: nobody else reads them. */
final class DomainEvents {

  private DomainEvents() {}

  /**
   * A subscription goes on.
   *
   * @param renewalId which renewal of it this is
   * @param renewal in which way
   * @param cents what that costs; the aggregate does not know it, the enrichment adds it
   * @param currency the same
   */
  record SubscriptionRenewed(
      String renewalId,
      String subscriptionId,
      String plan,
      Renewal renewal,
      int cents,
      String currency) {}

  /** A subscription does not go on. */
  record SubscriptionEnded(String subscriptionId) {}
}
