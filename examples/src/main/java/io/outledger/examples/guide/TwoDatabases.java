// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;

/** A message of one database takes effect once in another, without a broker and without XA. */
final class TwoDatabases {

  private TwoDatabases() {}

  static void carry(Outledger orders, Outledger billing, Audit invoices) {
    var inbox = billing.inbox("invoices");
    orders
        .relay("to-billing")
        .handlerWithoutTransaction(
            "invoices",
            message ->
                billing
                    .transactions()
                    .run(
                        connection ->
                            inbox.process(
                                connection,
                                Received.of("orders", message),
                                () -> invoices.write(connection, message))))
        .start();
  }
}
