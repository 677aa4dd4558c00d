// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.plainjdbc;

import io.outledger.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Takes orders: the order and its event are saved together, or not at all. */
final class OrderDesk {

  private final DataSource database;
  private final JdbcOutbox outbox;

  OrderDesk(DataSource database, JdbcOutbox outbox) {
    this.database = database;
    this.outbox = outbox;
  }

  void place(String orderId, String customer, int cents) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        insert(connection, orderId, customer, cents);
        // Last, so that the events of one order come in the order of its changes.
        outbox.append(connection, new OrderPlaced(orderId, customer, cents));
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
    }
  }

  private static void insert(Connection connection, String orderId, String customer, int cents)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (id, customer, cents) VALUES (?, ?, ?)")) {
      insert.setString(1, orderId);
      insert.setString(2, customer);
      insert.setInt(3, cents);
      insert.executeUpdate();
    }
  }
}
