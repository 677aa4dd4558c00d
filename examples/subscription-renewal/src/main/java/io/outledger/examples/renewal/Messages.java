// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

/** The messages that leave the application, but for those of the saga: a contract with others. */
final class Messages {

  private Messages() {}

  /** An event, as it was published until somebody paid in another currency than euros. */
  record RenewalConfirmedV1(String subscriptionId, int months, int cents) {}

  /** The same event, as it is published now. */
  record RenewalConfirmed(
      String subscriptionId, String way, int months, int cents, String currency) {}

  /** An event without a key: price lists have no order among each other. */
  record PriceListPublished(String plan, int cents, String currency) {}
}
