// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import org.jspecify.annotations.Nullable;

/** The messages that leave the application, but for those of the saga: a contract with others. */
final class Messages {

  private Messages() {}

  /**
   * An event: a subscription goes on, paid and provided.
   *
   * @param way in which way it was renewed
   */
  record RenewalConfirmed(
      String subscriptionId, String way, int months, int cents, String currency) {

    /** The first payloads of this version had no way: there was one. */
    RenewalConfirmed(
        String subscriptionId, @Nullable String way, int months, int cents, String currency) {
      this.subscriptionId = subscriptionId;
      this.way = way == null ? "extended" : way;
      this.months = months;
      this.cents = cents;
      this.currency = currency;
    }
  }

  /** An event: a subscription goes on in another plan. */
  record PlanChanged(String subscriptionId, String before, String plan) {}

  /** An event: what a month of a plan costs from now on. */
  record PriceChanged(String plan, int cents, String currency) {}
}
