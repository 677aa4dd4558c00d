// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.jdbc.spi.SqlNaming;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A query that is put together of parts that are given, and the values of its parameters. Values
 * never become text. Not thread-safe.
 */
final class Query {

  private final SqlNaming naming;
  private final StringBuilder text = new StringBuilder();
  private final List<Object> values = new ArrayList<>();

  private Query(SqlNaming naming) {
    this.naming = naming;
  }

  static Query of(SqlNaming naming, String text, Object... values) {
    return new Query(naming).and(text, values);
  }

  /** Adds a part. */
  Query and(String part, Object... more) {
    text.append(part);
    values.addAll(Arrays.asList(more));
    return this;
  }

  /** Adds another one. */
  Query and(Query other) {
    text.append(other.text);
    values.addAll(other.values);
    return this;
  }

  /** Adds a part with a value where there is one. */
  Query andIf(@Nullable Object value, String part) {
    return value == null ? this : and(part, value);
  }

  /** Returns all rows. */
  <T> List<T> rows(Connection connection, Sql.Row<T> reader) throws SQLException {
    List<T> all = new ArrayList<>();
    read(connection, row -> all.add(reader.read(row)));
    return all;
  }

  /** Returns the first row, or empty where there is none. */
  <T> Optional<T> first(Connection connection, Sql.Row<T> reader) throws SQLException {
    return sql(connection).first(reader);
  }

  /** Returns the number in the first row; 0 where it is null, or there is no row. */
  long number(Connection connection) throws SQLException {
    return sql(connection).number();
  }

  /** Reads row by row, and keeps none, until the reader has enough. */
  void read(Connection connection, Sql.Reader reader) throws SQLException {
    sql(connection).read(reader);
  }

  private Sql sql(Connection connection) {
    return Sql.in(naming, connection, text.toString(), values.toArray());
  }
}
