// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.UuidsInBytes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** UUIDs as their 16 bytes, times as microseconds since 1970: SQLite has no type for either. */
final class SqliteValues implements UuidsInBytes {

  static final SqliteValues OF_DRIVER = new SqliteValues();

  private static final long MICROS_A_SECOND = 1_000_000;
  private static final int NANOS_A_MICRO = 1000;

  private SqliteValues() {}

  @Override
  public Object of(Instant time) {
    // Not by MICROS.between, which counts nanoseconds and ends in the year 2262.
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), MICROS_A_SECOND), time.getNano() / NANOS_A_MICRO);
  }

  @Override
  public @Nullable Instant readTime(ResultSet row, int column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  @Override
  public int fetchSize(Connection connection, int rows) {
    return rows;
  }
}
