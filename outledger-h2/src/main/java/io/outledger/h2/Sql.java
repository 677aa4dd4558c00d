// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One statement with its values, executed once. H2 keeps the statements that a session has parsed
 * last, so nothing is gained by keeping them here.
 */
final class Sql {

  /** H2's limit for a binary value that is not a large object. */
  static final int BINARY_MAX = 1 << 20;

  private final Connection connection;
  private final String text;
  private final @Nullable Object[] values;

  private Sql(Connection connection, String text, @Nullable Object[] values) {
    this.connection = connection;
    this.text = text;
    this.values = values;
  }

  /**
   * Makes one.
   *
   * @param values of its parameters, in order: numbers, texts, booleans, UUIDs, times, bytes, and
   *     arrays of these
   */
  static Sql of(Connection connection, String text, @Nullable Object... values) {
    return new Sql(connection, text, values);
  }

  /** What a row becomes. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Returns all rows. */
  <T> List<T> rows(Row<T> reader) throws SQLException {
    try (PreparedStatement statement = bound();
        ResultSet rows = statement.executeQuery()) {
      List<T> all = new ArrayList<>();
      while (rows.next()) {
        all.add(reader.read(rows));
      }
      return all;
    }
  }

  /** What reads rows one by one. */
  interface Reader {
    /** Reads a row, and returns whether it wants the next. */
    boolean takesMore(ResultSet row) throws SQLException;
  }

  /** Reads row by row, and keeps none, until the reader has enough. */
  void read(Reader reader) throws SQLException {
    try (PreparedStatement statement = bound();
        ResultSet rows = statement.executeQuery()) {
      boolean more = true;
      while (more && rows.next()) {
        more = reader.takesMore(rows);
      }
    }
  }

  /** Returns whether the connection over which it is executed was closed. */
  boolean isClosed() throws SQLException {
    return connection.isClosed();
  }

  /** Returns the first row, or empty where there is none. */
  <T> Optional<T> first(Row<T> reader) throws SQLException {
    List<T> all = rows(reader);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
  }

  /** Returns the number in the first row; 0 where it is null, or there is no row. */
  long number() throws SQLException {
    return first(row -> row.getLong(1)).orElse(0L);
  }

  /** Executes it, and returns how many rows it has changed. */
  int update() throws SQLException {
    try (PreparedStatement statement = bound()) {
      return statement.executeUpdate();
    }
  }

  private PreparedStatement bound() throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    try {
      for (int i = 0; i < values.length; i++) {
        bind(statement, i + 1, values[i]);
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  private static void bind(PreparedStatement statement, int at, @Nullable Object value)
      throws SQLException {
    if (value instanceof byte[] bytes && bytes.length > BINARY_MAX) {
      statement.setBinaryStream(at, new ByteArrayInputStream(bytes), bytes.length);
    } else {
      statement.setObject(at, value);
    }
  }

  /** Returns numbers as an array parameter. */
  static Long[] array(long[] numbers) {
    Long[] boxed = new Long[numbers.length];
    for (int i = 0; i < boxed.length; i++) {
      boxed[i] = numbers[i];
    }
    return boxed;
  }

  /** Returns a column of an array of numbers. */
  static long[] longs(ResultSet row, int column) throws SQLException {
    Object[] boxed = (Object[]) row.getArray(column).getArray();
    long[] numbers = new long[boxed.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = ((Number) boxed[i]).longValue();
    }
    return numbers;
  }
}
