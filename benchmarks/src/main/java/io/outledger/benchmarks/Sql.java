// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** One statement at a time, for what is not measured. */
public final class Sql {

  private Sql() {}

  /** Runs one, in the transaction of the connection. */
  public static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs one on a connection of its own. */
  public static void run(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      run(connection, sql);
    }
  }

  /** Returns the number that a query finds. */
  public static long number(DataSource dataSource, String query) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Returns whether a query finds nothing. */
  public static boolean isEmpty(DataSource dataSource, String query) throws SQLException {
    return number(dataSource, "SELECT count(*) FROM (" + query + " LIMIT 1) AS found") == 0;
  }
}
