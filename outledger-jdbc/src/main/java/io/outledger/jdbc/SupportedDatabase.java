// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Refuses databases on which the promises have not been proven. */
final class SupportedDatabase {

  private static final String POSTGRESQL = "PostgreSQL";
  private static final int OLDEST = 13;
  private static final String ENCODING = "UTF8";

  private SupportedDatabase() {}

  static void check(DataSource dataSource) {
    checkProduct(dataSource);
    String encoding =
        OwnTransaction.run(
            dataSource,
            OwnTransaction.Kind.READS,
            "asking for the database's encoding",
            SupportedDatabase::encoding);
    if (!ENCODING.equals(encoding)) {
      throw unsupported("the database's encoding is " + encoding);
    }
  }

  private static void checkProduct(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      DatabaseMetaData database = connection.getMetaData();
      String product = database.getDatabaseProductName();
      int version = database.getDatabaseMajorVersion();
      if (!POSTGRESQL.equals(product) || version < OLDEST) {
        throw unsupported("the database is " + product + " " + version);
      }
    } catch (SQLException e) {
      throw WriteFailure.of(e, "ask what database it is");
    }
  }

  private static String encoding(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW server_encoding")) {
      row.next();
      return row.getString(1);
    }
  }

  private static ConfigurationException unsupported(String found) {
    return new ConfigurationException(
        ErrorCode.UNSUPPORTED_DATABASE,
        found + "; use " + POSTGRESQL + " " + OLDEST + " or later with the encoding " + ENCODING);
  }
}
