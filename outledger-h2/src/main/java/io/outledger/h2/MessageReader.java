// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.MessageLimits;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.PayloadLimit;
import io.outledger.store.LedgerMessage;
import java.io.IOException;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;

/**
 * Reads messages from the columns position, time, id, version, topic, key, type, payload, headers
 * and the payload's length, of which position is the first column of the row. Stops to load
 * payloads and headers once a page is full: H2 loads a large payload only when it is read.
 */
final class MessageReader {

  private static final byte[] NONE = new byte[0];

  private final long bytesMax;
  private final int payloadBytesMax;
  private long bytes;
  private int whole;
  private boolean isFull;

  /**
   * Makes one.
   *
   * @param bytesMax how many bytes of payloads and headers fit; the first message always does
   */
  MessageReader(long bytesMax) {
    this(bytesMax, PayloadLimit.bytes());
  }

  MessageReader(long bytesMax, int payloadBytesMax) {
    this.bytesMax = bytesMax;
    this.payloadBytesMax = payloadBytesMax;
  }

  /** SQL for what it reads of a table by its alias. */
  static String columns(String alias) {
    return """
    %1$s.position, %1$s.time, %1$s.id, %1$s.version, %1$s.topic, %1$s."KEY", %1$s.type, \
    %1$s.payload, %1$s.headers, OCTET_LENGTH(%1$s.payload)\
    """
        .formatted(alias);
  }

  /** How many columns that is. */
  static final int COLUMNS = 10;

  /** Returns how many of the messages, from the first, are whole; the rest did not fit. */
  int whole() {
    return whole;
  }

  /** Reads what can be read of a row, whoever has written it, and counts what it takes. */
  LedgerMessage read(ResultSet row) throws SQLException {
    long position = row.getLong(1);
    long length = row.getLong(10);
    Instant time = row.getObject(2, OffsetDateTime.class).toInstant();
    String unreadable = length > payloadBytesMax ? PayloadLimit.tooLarge(payloadBytesMax) : null;
    if (time.isBefore(MessageLimits.TIME_MIN) || time.isAfter(MessageLimits.TIME_MAX)) {
      unreadable = unreadable("its time is not between the years 1 and 9999");
      time =
          time.isBefore(MessageLimits.TIME_MIN) ? MessageLimits.TIME_MIN : MessageLimits.TIME_MAX;
    }
    isFull = isFull || (whole > 0 && unreadable == null && bytes + length > bytesMax);
    Map<String, String> headers = Map.of();
    if (!isFull && unreadable == null) {
      try {
        headers = HeaderText.decode(row.getString(9));
      } catch (IllegalArgumentException e) {
        unreadable = unreadable("its headers are not form-encoded: " + e.getMessage());
      }
    }
    byte[] payload = isFull || unreadable != null ? NONE : payload(row);
    return counted(new LedgerMessage(position, message(row, time, payload, headers), unreadable));
  }

  private LedgerMessage counted(LedgerMessage message) {
    isFull = isFull || (whole > 0 && bytes + message.bytes() > bytesMax);
    if (!isFull) {
      bytes += message.bytes();
      whole++;
    }
    return message;
  }

  private static Message message(
      ResultSet row, Instant time, byte[] payload, Map<String, String> headers)
      throws SQLException {
    return new Message(
        row.getObject(3, UUID.class),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getInt(4),
        payload,
        headers,
        time);
  }

  private static byte[] payload(ResultSet row) throws SQLException {
    try (InputStream in = row.getBinaryStream(8)) {
      return in == null ? NONE : in.readAllBytes();
    } catch (IOException e) {
      throw new SQLException("a payload could not be read", "58030", e);
    }
  }

  private static String unreadable(String why) {
    return ErrorCode.INVALID_MESSAGE.code() + " the row cannot be read: " + why;
  }
}
