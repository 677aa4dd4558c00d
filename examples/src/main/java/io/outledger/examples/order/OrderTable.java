// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** The orders, in SQL that every database understands. */
final class OrderTable {

  private static final int DECIMALS = 2;

  /** Returns the number of a customer's next order. The caller has locked the customer. */
  long nextNumber(Connection connection, String customer) throws SQLException {
    // The unique index on customer and number.
    String sql = "SELECT COALESCE(MAX(number), 0) + 1 FROM orders WHERE customer = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, customer);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /**
   * Returns what a product costs.
   *
   * @throws RefusedException where there is no such product
   */
  BigDecimal price(Connection connection, String product) throws SQLException {
    // The primary key.
    String sql = "SELECT price FROM product WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, product);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new RefusedException("there is no product " + product);
        }
        return money(row, 1);
      }
    }
  }

  /** Inserts an order. */
  void insert(Connection connection, String idempotencyKey, Order order) throws SQLException {
    String sql =
        """
        INSERT INTO orders (id, idempotency_key, customer, number, product, quantity, total)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, order.id().toString());
      statement.setString(2, idempotencyKey);
      statement.setString(3, order.customer());
      statement.setLong(4, order.number());
      statement.setString(5, order.product());
      statement.setInt(6, order.quantity());
      statement.setBigDecimal(7, order.total());
      statement.executeUpdate();
    }
  }

  /** Returns the order that was placed under a key. */
  Order find(Connection connection, String idempotencyKey) throws SQLException {
    // The unique index that begins with idempotency_key.
    String sql =
        """
        SELECT id, customer, number, product, quantity, total
          FROM orders WHERE idempotency_key = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, idempotencyKey);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("the inbox knows a key that no order has");
        }
        return order(row);
      }
    }
  }

  private static Order order(ResultSet row) throws SQLException {
    return new Order(
        UUID.fromString(row.getString(1)),
        row.getString(2),
        row.getLong(3),
        row.getString(4),
        row.getInt(5),
        money(row, 6));
  }

  /** SQLite forgets zeros at the end. */
  private static BigDecimal money(ResultSet row, int column) throws SQLException {
    return row.getBigDecimal(column).setScale(DECIMALS);
  }
}
