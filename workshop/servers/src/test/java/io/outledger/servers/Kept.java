// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A database on a server with a table of numbers, whose sum says which of them are there. */
record Kept(Postgres server, String database) {

  /** Makes it, with the number 1. */
  static Kept on(Postgres server) throws SQLException {
    Kept kept = new Kept(server, server.createDatabase());
    kept.execute("CREATE TABLE kept AS SELECT 1 AS n");
    return kept;
  }

  /** Returns the same database as another server has it. */
  Kept at(Postgres other) {
    return new Kept(other, database);
  }

  void add(int number) throws SQLException {
    execute("INSERT INTO kept VALUES (" + number + ")");
  }

  long sum() throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT sum(n) FROM kept")) {
      row.next();
      return row.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
