// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.micronaut;

import io.micronaut.transaction.annotation.Transactional;
import io.outledger.Outbox;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Places orders. */
@Singleton
public class OrderService {

  private final Connection transaction;
  private final Outbox outbox;

  OrderService(Connection transaction, Outbox outbox) {
    this.transaction = transaction;
    this.outbox = outbox;
  }

  /** Saves an order and announces it, both or neither. */
  @Transactional
  public void place(String orderId, String customer, int cents) throws SQLException {
    try (PreparedStatement insert =
        transaction.prepareStatement("INSERT INTO orders (id, customer, cents) VALUES (?, ?, ?)")) {
      insert.setString(1, orderId);
      insert.setString(2, customer);
      insert.setInt(3, cents);
      insert.executeUpdate();
    }
    outbox.append(new OrderPlaced(orderId, customer, cents));
  }
}
