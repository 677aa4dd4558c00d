// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** One statement with its parameters. */
final class Sql {

  private Sql() {}

  /** Executes it; returns how many rows it has changed. */
  static int update(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, parameters);
      return statement.executeUpdate();
    }
  }

  /** Reads the first row; empty where there is none. */
  static <T> Optional<T> first(
      Connection connection, String sql, RowReader<T> reader, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, parameters);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(reader.read(row)) : Optional.empty();
      }
    }
  }

  /** Reads what is wanted of a row. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private static void set(PreparedStatement statement, Object... parameters) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
  }
}
