// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.jdbc.admin.MessageInfo;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.SqlValues;
import java.io.IOException;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an operator sees of a message, whoever has written it, from {@link #COUNT} columns.
 */
final class MessageColumns {

  /** How many columns that is. */
  static final int COUNT = 7;

  private MessageColumns() {}

  /**
   * Returns the columns of a table's alias.
   *
   * @param payload the part that cuts a payload, or null for no payload
   */
  static String of(String alias, @Nullable String payload) {
    String cut = payload == null ? "" : ", " + payload.formatted(alias + ".payload");
    return """
    %1$s.topic, %1$s.message_key, %1$s.type, %1$s.version, %1$s.time, %1$s.headers, \
    OCTET_LENGTH(%1$s.payload)\
    """
            .formatted(alias)
        + cut;
  }

  /**
   * Where a message is.
   *
   * @param values how the driver gives them
   * @param row the row
   * @param from the first of the columns
   */
  record Place(SqlValues values, ResultSet row, int from) {}

  /** Who a message is. */
  record Identity(String id, String source, String keySpace) {}

  /**
   * Reads a row.
   *
   * @param payloadBytes how many bytes of the payload, which follows them unless this is 0
   */
  static MessageInfo read(Place place, Identity identity, int payloadBytes, PageBytes bytes)
      throws SQLException {
    ResultSet row = place.row();
    int from = place.from();
    String headers = row.getString(from + 5);
    byte[] payload = payloadBytes > 0 ? payload(row, from + COUNT, payloadBytes) : null;
    bytes.add(
        (headers == null ? 0 : 2L * headers.length()) + (payload == null ? 0 : payload.length));
    return new MessageInfo(
        identity.id(),
        identity.source(),
        row.getString(from),
        row.getString(from + 1),
        identity.keySpace(),
        row.getString(from + 2),
        row.getInt(from + 3),
        place.values().readTime(row, from + 4),
        headers(headers),
        row.getLong(from + 6),
        payload);
  }

  static byte[] payload(ResultSet row, int column, int bytesMax) throws SQLException {
    try (InputStream in = row.getBinaryStream(column)) {
      return in == null ? new byte[0] : in.readNBytes(bytesMax);
    } catch (IOException e) {
      throw new SQLException("a payload could not be read", "58030", e);
    }
  }

  private static Map<String, String> headers(@Nullable String text) {
    try {
      return HeaderText.decode(text);
    } catch (IllegalArgumentException e) {
      return Map.of();
    }
  }
}
