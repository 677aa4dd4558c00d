// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.frontier.Positions;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.UUID;

/** Ids and times have types of their own, and ranges of positions are two arrays. */
record TypedColumns() implements Columns {

  @Override
  public UUID id(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  @Override
  public Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  @Override
  public Positions open(ResultSet row) throws SQLException {
    return Positions.ofRanges(
        numbers(row.getArray("open_first")), numbers(row.getArray("open_last")));
  }

  private static long[] numbers(Array array) throws SQLException {
    return Arrays.stream((Object[]) array.getArray()).mapToLong(n -> (Long) n).toArray();
  }
}
