// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.Positions;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** How a cursor's row holds its open ranges. */
public interface OpenRanges {

  /** In the columns open_first and open_last, as two arrays of numbers. */
  OpenRanges IN_ARRAYS =
      new OpenRanges() {
        @Override
        public List<String> columns() {
          return List.of("open_first", "open_last");
        }

        @Override
        public Positions read(ResultSet row, int column) throws SQLException {
          return Positions.ofRanges(longs(row, column), longs(row, column + 1));
        }

        @Override
        public Object[] values(Connection connection, Positions open) throws SQLException {
          return new Object[] {array(connection, open.firsts()), array(connection, open.lasts())};
        }
      };

  /** In the column open_ranges, as JSON: an array of pairs, of which each is first and last. */
  OpenRanges AS_JSON =
      new OpenRanges() {
        @Override
        public List<String> columns() {
          return List.of("open_ranges");
        }

        @Override
        public Positions read(ResultSet row, int column) throws SQLException {
          return RangesText.read(row.getString(column));
        }

        @Override
        public Object[] values(Connection connection, Positions open) {
          return new Object[] {RangesText.write(open)};
        }
      };

  /** Returns the names of the columns. */
  List<String> columns();

  /** Reads them from their columns, of which this is the first. */
  Positions read(ResultSet row, int column) throws SQLException;

  /** Returns the values of the columns. */
  Object[] values(Connection connection, Positions open) throws SQLException;

  private static long[] longs(ResultSet row, int column) throws SQLException {
    Object[] boxed = (Object[]) row.getArray(column).getArray();
    long[] numbers = new long[boxed.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = ((Number) boxed[i]).longValue();
    }
    return numbers;
  }

  private static Array array(Connection connection, long[] numbers) throws SQLException {
    Long[] boxed = new Long[numbers.length];
    for (int i = 0; i < boxed.length; i++) {
      boxed[i] = numbers[i];
    }
    return connection.createArrayOf("bigint", boxed);
  }
}
