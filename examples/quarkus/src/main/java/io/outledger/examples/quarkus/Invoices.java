// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.quarkus;

import io.agroal.api.AgroalDataSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Writes an invoice for each order. A bean like any other: it knows nothing of messages. */
@ApplicationScoped
public class Invoices {

  private final AgroalDataSource database;

  Invoices(AgroalDataSource database) {
    this.database = database;
  }

  /** Writes one, in the caller's transaction; fails where the customer has no address (yet). */
  @Transactional(value = Transactional.TxType.MANDATORY, rollbackOn = Exception.class)
  public void write(OrderPlaced order) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
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
