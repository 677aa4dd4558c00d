// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of a test's own on the shared server, with the schema applied. */
final class TestDatabase {

  final String name;

  private TestDatabase(String name) {
    this.name = name;
  }

  static TestDatabase create() {
    return new TestDatabase(StoreDatabase.create().name());
  }

  static TestDatabase empty() {
    return new TestDatabase(Postgres.shared().createDatabase());
  }

  PGSimpleDataSource dataSource() {
    return dataSource(Postgres.shared().port());
  }

  PGSimpleDataSource dataSource(int port) {
    return configured(new PGSimpleDataSource(), port);
  }

  <S extends PGSimpleDataSource> S configured(S source, int port) {
    source.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/" + name);
    source.setUser(Postgres.shared().user());
    source.setPassword(Postgres.shared().password());
    return source;
  }

  /** Opens a connection with a transaction, as an application's code has it. */
  Connection begin() throws SQLException {
    Connection connection = dataSource().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  void execute(String sql) {
    try {
      TestSession.run(Postgres.shared(), name, statement -> statement.execute(sql));
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Returns the first column of each row as text. */
  List<String> query(String sql) {
    try {
      return TestSession.run(Postgres.shared(), name, statement -> texts(statement, sql));
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static List<String> texts(Statement statement, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(String.valueOf(rows.getString(1)));
      }
    }
    return texts;
  }

  long count(String table) {
    return Long.parseLong(query("SELECT count(*) FROM " + table).get(0));
  }
}
