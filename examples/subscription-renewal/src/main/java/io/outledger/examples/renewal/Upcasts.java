// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Reads payloads of version 1 as today's classes. Each method adds what they lack, and leaves those
 * as they are that lack nothing: the fields came before the version was raised.
 */
final class Upcasts {

  private static final String SUBSCRIPTION = "subscriptionId";
  private static final String RENEWAL = "renewalId";
  private static final String PAYMENT = "payment";
  private static final String PAYER = "payer";

  private Upcasts() {}

  /**
   * A payment was once for a subscription, and not for one of its renewals. The id of the
   * subscription becomes that of the renewal. No saga has it, so what is paid for it now goes back.
   */
  static ObjectNode withRenewal(ObjectNode json) {
    JsonNode subscription = json.remove(SUBSCRIPTION);
    return subscription == null ? json : json.set(RENEWAL, subscription);
  }

  /** The same for the command. The first ones name no payer: each subscriber paid. */
  static ObjectNode withRenewalAndPayment(ObjectNode json) {
    if (json.has(PAYMENT)) {
      return json;
    }
    ObjectNode payment = json.putObject(PAYMENT);
    payment.set(PAYER, json.has(PAYER) ? json.remove(PAYER) : json.get(SUBSCRIPTION));
    payment.set("cents", json.remove("cents"));
    payment.set("currency", json.remove("currency"));
    return withRenewal(json);
  }

  /** What was paid was not stored. It stays null: {@link Payments} knows it by the renewal. */
  static ObjectNode withPayment(ObjectNode json) {
    return json.has(PAYMENT) ? json : json.putNull(PAYMENT);
  }
}
