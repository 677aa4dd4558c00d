// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.MessageLimits;
import io.outledger.jdbc.spi.UuidsInBytes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Calendar;
import java.util.Collection;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * UUIDs as 16 bytes, and times as what a clock in UTC shows: no server converts that, whatever the
 * time zone of a session is, and no driver, whatever the zone of the JVM is.
 */
final class MySqlValues implements UuidsInBytes {

  static final MySqlValues ALL = new MySqlValues();

  /** What is read of a time that is no date: before all that a message may have. */
  private static final Instant NO_DATE = MessageLimits.TIME_MIN.minusNanos(1);

  private MySqlValues() {}

  @Override
  public Object of(Instant time) {
    return LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
  }

  /** A server that is not strict takes dates that do not exist, as {@code 0000-00-00}. */
  @Override
  public @Nullable Instant readTime(ResultSet row, int column) throws SQLException {
    Timestamp time = date(row, column);
    if (time != null) {
      return time.toInstant();
    }
    return row.getString(column) == null ? null : NO_DATE;
  }

  /**
   * Drivers take a date that does not exist for null, or fail; that it is there, its text tells.
   * The date that is one is read again with a calendar: MariaDB's driver passes a date without a
   * zone through the JVM's, so that one in the hour which its clocks skip comes back an hour later.
   * With a calendar it takes February 31 for March 3.
   */
  private static @Nullable Timestamp date(ResultSet row, int column) {
    try {
      LocalDateTime exists = row.getObject(column, LocalDateTime.class);
      return exists == null ? null : row.getTimestamp(column, utc());
    } catch (SQLException | DateTimeException e) {
      return null; // a row that cannot be read at all fails at its text
    }
  }

  /** One of its own for each time, since drivers write into it. */
  private static Calendar utc() {
    return new Calendar.Builder()
        .setCalendarType("iso8601") // which counts as java.time does before 1582, too
        .setTimeZone(TimeZone.getTimeZone(ZoneOffset.UTC))
        .build();
  }

  /** MariaDB's driver sends them together in a way that its server refuses. */
  @Override
  public <T> int[] insertEach(PreparedStatement statement, Collection<T> all, Binder<T> binder)
      throws SQLException {
    int[] counts = new int[all.size()];
    int at = 0;
    for (T each : all) {
      binder.bind(statement, each);
      counts[at++] = statement.executeUpdate();
    }
    return counts;
  }

  /** MySQL's driver loads all rows unless it is told to take one after the other. */
  @Override
  public int fetchSize(Connection connection, int rows) throws SQLException {
    boolean isMySqls = connection.getMetaData().getDriverName().startsWith("MySQL");
    return isMySqls ? Integer.MIN_VALUE : rows;
  }
}
