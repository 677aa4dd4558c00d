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
    TestDatabase database = empty();
    PostgreSql.schema().apply(database.dataSource());
    return database;
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
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Returns the first column of each row as text. */
  List<String> query(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(String.valueOf(rows.getString(1)));
      }
      return texts;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  long count(String table) {
    return Long.parseLong(query("SELECT count(*) FROM " + table).get(0));
  }
}
