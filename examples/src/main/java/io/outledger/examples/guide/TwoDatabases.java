// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.jdbc.JdbcPublisher;
import io.outledger.jdbc.Outledger;

/** A message of one database takes effect once in another, without a broker and without XA. */
final class TwoDatabases {

  private TwoDatabases() {}

  static void carry(Outledger orders, Outledger billing, Audit invoices) {
    orders
        .relay("to-billing")
        .to(
            JdbcPublisher.into(
                billing.inbox("invoices"),
                "orders",
                (connection, message) -> invoices.write(connection, message)))
        .start();
  }
}
