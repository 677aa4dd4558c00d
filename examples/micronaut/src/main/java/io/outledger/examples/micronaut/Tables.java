// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.micronaut;

import io.outledger.jdbc.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Creates the tables. A real application would leave this to its migration tool. */
final class Tables {

  private Tables() {}

  static void create(DataSource database) {
    Schema.of(database).apply(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS orders (id VARCHAR(50) PRIMARY KEY,"
              + " customer VARCHAR(50) NOT NULL, cents INT NOT NULL)");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS address (customer VARCHAR(50) PRIMARY KEY,"
              + " street VARCHAR(50) NOT NULL)");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS invoice (order_id VARCHAR(50) NOT NULL,"
              + " cents INT NOT NULL, street VARCHAR(50) NOT NULL)");
    } catch (SQLException e) {
      throw new IllegalStateException("the tables could not be created", e);
    }
  }
}
