// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queries one of the databases from outside, and reconnects when its connection was cut. */
final class Database implements AutoCloseable {

  private final DemoDatabase server;
  private final String name;
  private @Nullable Connection connection;

  Database(DemoDatabase server, String name) {
    this.server = server;
    this.name = name;
  }

  String name() {
    return name;
  }

  /** Returns how the ledger's tables are read. */
  Columns columns() {
    return server.columns();
  }

  /** What is made of a row. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Returns the number that a query answers with. */
  long number(String sql) throws SQLException {
    return rows(sql, row -> row.getLong(1)).get(0);
  }

  /** Returns the rows of a query; asked again where the connection was cut meanwhile. */
  synchronized <T> List<T> rows(String sql, RowReader<T> reader) throws SQLException {
    boolean isFresh = connection == null;
    try {
      return ask(sql, reader);
    } catch (SQLException e) {
      if (isFresh) {
        throw e;
      }
      return ask(sql, reader);
    }
  }

  private <T> List<T> ask(String sql, RowReader<T> reader) throws SQLException {
    try (Statement statement = open().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<T> read = new ArrayList<>();
      while (rows.next()) {
        read.add(reader.read(rows));
      }
      return read;
    } catch (SQLException e) {
      close();
      throw e;
    }
  }

  @Override
  public synchronized void close() throws SQLException {
    Connection old = connection;
    connection = null;
    if (old != null) {
      old.close();
    }
  }

  private Connection open() throws SQLException {
    Connection open = connection;
    if (open == null || open.isClosed()) {
      open = server.connect(name);
      connection = open;
    }
    return open;
  }
}
