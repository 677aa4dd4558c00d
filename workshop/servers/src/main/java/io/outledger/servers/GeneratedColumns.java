// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Columns whose values a server computes and stores. MariaDB's dump has values for them, which
 * MySQL refuses to insert: there they are plain ones meanwhile.
 *
 * @param statements that have them computed again
 */
record GeneratedColumns(List<String> statements) {

  private static final Pattern COLUMN =
      Pattern.compile(
          "^ *(`[^`]+` [a-z]+(?:\\([0-9,]+\\))?) (GENERATED ALWAYS AS .+? STORED.*?),?$");

  /** Makes those of a database of MySQL plain ones; MariaDB takes the values as they are. */
  static GeneratedColumns made(Connection connection) throws SQLException {
    List<String> statements = new ArrayList<>();
    if (!connection.getMetaData().getDatabaseProductVersion().contains("MariaDB")) {
      for (String table :
          column(connection, "SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'", 1)) {
        for (String made : column(connection, "SHOW CREATE TABLE " + table, 2)) {
          makePlain(connection, "ALTER TABLE " + table + " MODIFY ", made, statements);
        }
      }
    }
    return new GeneratedColumns(statements);
  }

  private static void makePlain(
      Connection connection, String change, String made, List<String> statements)
      throws SQLException {
    for (String line : made.lines().toList()) {
      Matcher column = COLUMN.matcher(line);
      if (column.matches()) {
        execute(connection, change + column.group(1));
        statements.add(change + column.group(1) + " " + column.group(2));
      }
    }
  }

  /** Has them computed again. */
  void generate(Connection connection) throws SQLException {
    for (String statement : statements) {
      execute(connection, statement);
    }
  }

  private static List<String> column(Connection connection, String sql, int column)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> all = new ArrayList<>();
      while (rows.next()) {
        all.add(rows.getString(column));
      }
      return all;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
