// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.micronaut;

import io.micronaut.transaction.TransactionDefinition.Propagation;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Writes an invoice for each order. A bean like any other: it knows nothing of messages. */
@Singleton
public class Invoices {

  private final Connection transaction;

  Invoices(Connection transaction) {
    this.transaction = transaction;
  }

  /** Writes one, in the caller's transaction; fails where the customer has no address (yet). */
  @Transactional(propagation = Propagation.MANDATORY)
  public void write(OrderPlaced order) throws SQLException {
    try (PreparedStatement insert =
        transaction.prepareStatement(
            "INSERT INTO invoice (order_id, cents, street)"
                + " SELECT ?, ?, street FROM address WHERE customer = ?")) {
      insert.setString(1, order.orderId());
      insert.setInt(2, order.cents());
      insert.setString(3, order.customer());
      if (insert.executeUpdate() == 0) {
        throw new IllegalStateException(order.customer() + " has no address");
      }
    }
  }
}
