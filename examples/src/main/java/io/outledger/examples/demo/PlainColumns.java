// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outledger.frontier.Positions;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

/**
 * Ids are their 16 bytes, and ranges of positions are JSON: an array of pairs.
 *
 * @param times how times are read
 */
record PlainColumns(Times times) implements Columns {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads a time. */
  interface Times {
    Instant read(ResultSet row, String column) throws SQLException;
  }

  @Override
  public UUID id(ResultSet row, String column) throws SQLException {
    ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(column));
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  @Override
  public Instant time(ResultSet row, String column) throws SQLException {
    return times.read(row, column);
  }

  @Override
  public Positions open(ResultSet row) throws SQLException {
    try {
      long[][] ranges = JSON.readValue(row.getString("open_ranges"), long[][].class);
      return Positions.ofRanges(
          Arrays.stream(ranges).mapToLong(range -> range[0]).toArray(),
          Arrays.stream(ranges).mapToLong(range -> range[1]).toArray());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
