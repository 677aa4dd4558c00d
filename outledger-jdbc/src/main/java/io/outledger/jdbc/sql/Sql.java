// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.SqlNaming;
import io.outledger.jdbc.spi.SqlValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One statement with its values, executed once over a connection. Values are bound and never become
 * text. Not thread-safe.
 */
public final class Sql {

  /** Rows that are read one by one come in portions of that many. */
  private static final int FETCHED_AT_ONCE = 200;

  private final SqlValues driver;
  private final Connection connection;
  private final String text;
  private final @Nullable Object[] values;

  private Sql(SqlValues driver, Connection connection, String text, @Nullable Object[] values) {
    this.driver = driver;
    this.connection = connection;
    this.text = text;
    this.values = values;
  }

  /**
   * Makes one.
   *
   * @param naming the product's words, which are put into the text
   * @param values of its parameters, in order: numbers, texts, booleans, UUIDs, times, bytes, and
   *     what else the database's driver takes as an object
   */
  public static Sql in(
      SqlNaming naming, Connection connection, String text, @Nullable Object... values) {
    return new Sql(naming.values(), connection, naming.in(text), values);
  }

  /** Makes one that is a product's own, whose driver takes values as JDBC has them. */
  public static Sql of(Connection connection, String text, @Nullable Object... values) {
    return new Sql(SqlValues.OF_JDBC, connection, text, values);
  }

  /**
   * What a row becomes.
   *
   * @param <T> that
   */
  @FunctionalInterface
  public interface Row<T> {

    /**
     * Reads it.
     *
     * @throws SQLException if a column is not as expected
     */
    T read(ResultSet row) throws SQLException;
  }

  /** What reads rows one by one. */
  @FunctionalInterface
  public interface Reader {

    /**
     * Reads a row, and returns whether it wants the next.
     *
     * @throws SQLException if a column is not as expected
     */
    boolean takesMore(ResultSet row) throws SQLException;
  }

  /** Returns all rows. */
  public <T> List<T> rows(Row<T> reader) throws SQLException {
    try (PreparedStatement statement = bound();
        ResultSet rows = statement.executeQuery()) {
      List<T> all = new ArrayList<>();
      while (rows.next()) {
        all.add(reader.read(rows));
      }
      return all;
    }
  }

  /** Returns the first row, or empty where there is none. */
  public <T> Optional<T> first(Row<T> reader) throws SQLException {
    try (PreparedStatement statement = bound();
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
    }
  }

  /** Returns the number in the first row; 0 where it is null, or there is no row. */
  public long number() throws SQLException {
    return first(row -> row.getLong(1)).orElse(0L);
  }

  /** Reads row by row, and keeps none, until the reader has enough. */
  public void read(Reader reader) throws SQLException {
    read(reader, driver.fetchSize(connection, FETCHED_AT_ONCE));
  }

  /** Does the same with rows of which one alone may be large: none is loaded before its turn. */
  public void readOneByOne(Reader reader) throws SQLException {
    read(reader, driver.fetchSize(connection, 1));
  }

  private void read(Reader reader, int fetchSize) throws SQLException {
    try (PreparedStatement statement = bound()) {
      statement.setFetchSize(fetchSize);
      try (ResultSet rows = statement.executeQuery()) {
        boolean more = true;
        while (more && rows.next()) {
          more = reader.takesMore(rows);
        }
      }
    }
  }

  /** Executes it, and returns how many rows it has changed. */
  public int update() throws SQLException {
    try (PreparedStatement statement = bound()) {
      return statement.executeUpdate();
    }
  }

  /** Returns whether the connection over which it is executed was closed. */
  public boolean isClosed() throws SQLException {
    return connection.isClosed();
  }

  private PreparedStatement bound() throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    try {
      driver.bind(statement, values);
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }
}
