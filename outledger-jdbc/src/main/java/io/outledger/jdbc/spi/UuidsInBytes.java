// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The values of a database that has no type for UUIDs: they are their 16 bytes. Thread-safe. */
public interface UuidsInBytes extends SqlValues {

  /** How many bytes a UUID has. */
  int BYTES = 16;

  @Override
  default Object of(UUID id) {
    Require.nonNull("id", id);
    return ByteBuffer.allocate(BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  @Override
  default @Nullable UUID readUuid(ResultSet row, int column) throws SQLException {
    byte[] bytes = Require.nonNull("row", row).getBytes(column);
    if (bytes == null) {
      return null;
    }
    if (bytes.length != BYTES) {
      throw new SQLException("column " + column + " has no UUID of 16 bytes", "22018");
    }
    ByteBuffer all = ByteBuffer.wrap(bytes);
    return new UUID(all.getLong(), all.getLong());
  }
}
