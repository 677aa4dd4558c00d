// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.MessageLimits;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.PayloadLimit;
import io.outledger.jdbc.spi.SqlValues;
import io.outledger.store.LedgerMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;

/**
 * Reads messages from the columns position, time, id, version, topic, key, type, payload, headers,
 * the payload's length and whether it was erased, of which position is the first column of the row.
 * Once a page is full, it reads no payload and no headers: databases load a large one only then.
 * Not thread-safe.
 */
public final class MessageReader {

  private static final byte[] NONE = new byte[0];

  private final SqlValues values;
  private final long bytesMax;
  private final int payloadBytesMax;
  private long bytes;
  private int whole;
  private boolean isFull;

  /**
   * Makes one.
   *
   * @param values how the driver gives values
   * @param bytesMax how many bytes of payloads and headers fit; the first message always does
   */
  public MessageReader(SqlValues values, long bytesMax) {
    this.values = values;
    this.bytesMax = bytesMax;
    this.payloadBytesMax = PayloadLimit.bytes();
  }

  /**
   * SQL for what it reads of a table by its alias.
   *
   * @param mark the column that says that the message is not to be published
   */
  public static String columns(String alias, String mark) {
    return """
    %1$s.position, %1$s.time, %1$s.id, %1$s.version, %1$s.topic, %1$s.message_key, %1$s.type, \
    CASE WHEN {octet_length}(%1$s.payload) <= %3$s THEN %1$s.payload END, %1$s.headers, \
    {octet_length}(%1$s.payload), %1$s.%2$s\
    """
        .formatted(alias, mark, PayloadLimit.bytes());
  }

  /** How many columns that is. */
  public static final int COLUMNS = 11;

  /** Returns how many of the messages, from the first, are whole; the rest did not fit. */
  public int whole() {
    return whole;
  }

  /** Reads what can be read of a row, whoever has written it, and counts what it takes. */
  public LedgerMessage read(ResultSet row) throws SQLException {
    long position = row.getLong(1);
    long length = row.getLong(10);
    Instant time = values.time(row, 2);
    String unreadable = length > payloadBytesMax ? PayloadLimit.tooLarge(payloadBytesMax) : null;
    if (time.isBefore(MessageLimits.TIME_MIN) || time.isAfter(MessageLimits.TIME_MAX)) {
      unreadable = unreadable("its time is no date between the years 1 and 9999");
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
    Message message = message(row, time, payload, headers);
    return counted(new LedgerMessage(position, message, unreadable, row.getBoolean(11)));
  }

  private LedgerMessage counted(LedgerMessage message) {
    isFull = isFull || (whole > 0 && bytes + message.bytes() > bytesMax);
    if (!isFull) {
      bytes += message.bytes();
      whole++;
    }
    return message;
  }

  private Message message(ResultSet row, Instant time, byte[] payload, Map<String, String> headers)
      throws SQLException {
    return new Message(
        values.uuid(row, 3),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getInt(4),
        payload,
        headers,
        time);
  }

  private static byte[] payload(ResultSet row) throws SQLException {
    byte[] bytes = row.getBytes(8);
    return bytes == null ? NONE : bytes;
  }

  private static String unreadable(String why) {
    return ErrorCode.INVALID_MESSAGE.code() + " the row cannot be read: " + why;
  }
}
