// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** The orders, in plain SQL. */
final class OrderTable {

  /** Counts a customer's orders; the row stays locked until the transaction ends. */
  long nextNumber(Connection connection, String customer) throws SQLException {
    // The primary key.
    String sql =
        """
        INSERT INTO customer AS c (id, orders) VALUES (?, 1)
        ON CONFLICT (id) DO UPDATE SET orders = c.orders + 1
        RETURNING orders
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, customer);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /**
   * Inserts an order at the product's price.
   *
   * @throws RefusedException where there is no such product
   */
  Order insert(Connection connection, String idempotencyKey, long number, OrderRequest request)
      throws SQLException {
    // The product's primary key.
    String sql =
        """
        INSERT INTO orders (id, idempotency_key, customer, number, product, quantity, total)
        SELECT ?, ?, ?, ?, p.id, ?, ? * p.price FROM product p WHERE p.id = ?
        RETURNING id, customer, number, product, quantity, total
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, UUID.randomUUID());
      statement.setString(2, idempotencyKey);
      statement.setString(3, request.customer());
      statement.setLong(4, number);
      statement.setInt(5, request.quantity());
      statement.setInt(6, request.quantity());
      statement.setString(7, request.product());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new RefusedException("there is no product " + request.product());
        }
        return order(row);
      }
    }
  }

  /** Returns the order that was placed under a key. */
  Order find(Connection connection, String idempotencyKey) throws SQLException {
    // The index on idempotency_key.
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
        row.getObject(1, UUID.class),
        row.getString(2),
        row.getLong(3),
        row.getString(4),
        row.getInt(5),
        row.getBigDecimal(6));
  }
}
