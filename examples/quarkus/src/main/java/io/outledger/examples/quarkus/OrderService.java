// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.quarkus;

import io.agroal.api.AgroalDataSource;
import io.outledger.Outbox;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Places orders. */
@ApplicationScoped
public class OrderService {

  private final AgroalDataSource database;
  private final Outbox outbox;

  OrderService(AgroalDataSource database, Outbox outbox) {
    this.database = database;
    this.outbox = outbox;
  }

  /** Saves an order and announces it, both or neither. */
  @Transactional(rollbackOn = Exception.class)
  public void place(String orderId, String customer, int cents) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO orders (id, customer, cents) VALUES (?, ?, ?)")) {
      insert.setString(1, orderId);
      insert.setString(2, customer);
      insert.setInt(3, cents);
      insert.executeUpdate();
    }
    outbox.append(new OrderPlaced(orderId, customer, cents));
  }
}
