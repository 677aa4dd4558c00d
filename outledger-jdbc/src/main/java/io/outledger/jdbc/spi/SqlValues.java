// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a database's driver takes and gives the values about which drivers do not agree: UUIDs and
 * times. Thread-safe.
 */
public interface SqlValues {

  /** From here on, a binary value is passed on as a stream: some databases need that. */
  int BINARY_MAX = 1 << 20;

  /** As JDBC has them: UUIDs, and times with an offset. */
  SqlValues OF_JDBC =
      new SqlValues() {
        @Override
        public Object of(UUID id) {
          return id;
        }

        @Override
        public Object of(Instant time) {
          return time.atOffset(ZoneOffset.UTC);
        }

        @Override
        public @Nullable UUID readUuid(ResultSet row, int column) throws SQLException {
          return row.getObject(column, UUID.class);
        }

        @Override
        public @Nullable Instant readTime(ResultSet row, int column) throws SQLException {
          OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
          return time == null ? null : time.toInstant();
        }

        @Override
        public int fetchSize(Connection connection, int rows) {
          return rows;
        }
      };

  /** Returns what the driver takes for a UUID. */
  Object of(UUID id);

  /** Returns what the driver takes for a time. */
  Object of(Instant time);

  /** Returns a UUID of a row; null where it has none. */
  @Nullable UUID readUuid(ResultSet row, int column) throws SQLException;

  /** Returns a time of a row; null where it has none. */
  @Nullable Instant readTime(ResultSet row, int column) throws SQLException;

  /**
   * Returns the fetch size by which the driver loads at most so many rows at once.
   *
   * @param rows how many
   */
  int fetchSize(Connection connection, int rows) throws SQLException;

  /**
   * Binds what one execution of a statement needs.
   *
   * @param <T> of what
   */
  @FunctionalInterface
  interface Binder<T> {

    /** Binds it. */
    void bind(PreparedStatement statement, T value) throws SQLException;
  }

  /**
   * Executes an insertion of what a query finds once for each value, together where the driver can.
   *
   * @return how many rows each has inserted
   */
  default <T> int[] insertEach(PreparedStatement statement, Collection<T> all, Binder<T> binder)
      throws SQLException {
    Require.nonNull("statement", statement);
    Require.nonNull("binder", binder);
    for (T each : Require.nonNull("all", all)) {
      binder.bind(statement, each);
      statement.addBatch();
    }
    return statement.executeBatch();
  }

  /** Returns a UUID that every row has. */
  default UUID uuid(ResultSet row, int column) throws SQLException {
    return present(readUuid(Require.nonNull("row", row), column), column);
  }

  /** Returns a time that every row has. */
  default Instant time(ResultSet row, int column) throws SQLException {
    return present(readTime(Require.nonNull("row", row), column), column);
  }

  private static <T> T present(@Nullable T value, int column) throws SQLException {
    if (value == null) {
      throw new SQLException("column " + column + " is null, and must not be", "22004");
    }
    return value;
  }

  /** Binds values to the parameters of a statement, in order. */
  default void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
    Require.nonNull("values", values);
    for (int i = 0; i < values.length; i++) {
      bind(statement, i + 1, values[i]);
    }
  }

  /** Binds one value. */
  default void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    Require.nonNull("statement", statement);
    if (value instanceof byte[] bytes && bytes.length > BINARY_MAX) {
      statement.setBinaryStream(index, new ByteArrayInputStream(bytes), bytes.length);
    } else if (value instanceof UUID id) {
      statement.setObject(index, of(id));
    } else if (value instanceof Instant time) {
      statement.setObject(index, of(time));
    } else if (value instanceof OffsetDateTime time) {
      statement.setObject(index, of(time.toInstant()));
    } else {
      statement.setObject(index, value);
    }
  }
}
