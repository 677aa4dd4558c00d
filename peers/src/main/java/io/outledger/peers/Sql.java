// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** One statement at a time, for what is not measured. */
final class Sql {

  private Sql() {}

  static void run(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static long number(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Returns whether a query finds nothing. */
  static boolean isEmpty(DataSource dataSource, String query) throws SQLException {
    return number(dataSource, "SELECT count(*) FROM (" + query + " LIMIT 1) AS found") == 0;
  }
}
