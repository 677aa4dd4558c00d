// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.jdbc.Outledger;
import java.io.IOException;

/** Payments, which a provider makes outside the database. */
final class Payments {

  private Payments() {}

  /** What the provider offers. */
  interface Provider {

    /**
     * Makes a payment, once for each reference.
     *
     * @param reference names the payment; a second request with it changes nothing
     * @param order what is paid for
     * @throws IOException where the outcome is unknown
     */
    void charge(String reference, byte[] order) throws IOException;
  }

  static void charge(Outledger outledger, Provider provider) {
    outledger
        .relay("payments")
        .handlerWithoutTransaction(
            "charge", message -> provider.charge(message.id().toString(), message.payload()))
        .start();
  }
}
