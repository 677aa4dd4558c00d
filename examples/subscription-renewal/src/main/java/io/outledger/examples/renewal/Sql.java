// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** One statement with its parameters. */
final class Sql {

  private Sql() {}

  /** Executes it; returns how many rows it has changed. */
  static int update(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    }
  }
}
