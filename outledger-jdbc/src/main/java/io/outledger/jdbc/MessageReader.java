// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.MessageLimits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages from the columns time, id, version, topic, key, type, payload and headers, which
 * follow each other. Equal topics and types that follow each other become one text, as a page of
 * them would else fill the heap with copies. Not thread-safe.
 */
final class MessageReader {

  /** Stands for a payload that the statement left out. */
  static final byte[] LEFT_OUT = new byte[0];

  private static final byte[] NONE = new byte[0];

  private final int first;
  private final boolean fillsIn;
  private String topic = "";
  private String type = "";
  private @Nullable String unreadable;
  private boolean leftOut;
  private long payloadBytes;

  MessageReader(int first) {
    this(first, true);
  }

  private MessageReader(int first, boolean fillsIn) {
    this.first = first;
    this.fillsIn = fillsIn;
  }

  /** Makes a reader of parked rows: a payload that their statement leaves out is too large. */
  static MessageReader ofParked() {
    return new MessageReader(ParkedReads.MESSAGE_FROM, false);
  }

  /**
   * Reads what can be read of a row, whoever has written it; {@link #unreadable()} says afterwards
   * whether that is all.
   */
  Message read(ResultSet row) throws SQLException {
    unreadable = null;
    Instant time = time(row.getObject(first, OffsetDateTime.class).toInstant());
    UUID id = row.getObject(first + 1, UUID.class);
    int version = row.getInt(first + 2);
    topic = same(topic, row.getString(first + 3));
    String key = row.getString(first + 4);
    type = same(type, row.getString(first + 5));
    Map<String, String> headers = headers(row.getString(first + 7));
    byte[] payload = unreadable == null ? payload(row.getBytes(first + 6)) : NONE;
    return new Message(id, topic, key, type, version, payload, headers, time);
  }

  /** Returns whether all that was read has its payload, and all payloads together fit. */
  boolean isWhole(long bytesMax) {
    return !leftOut && payloadBytes <= bytesMax;
  }

  /** Returns why the row that was read last is no whole message, or null where it is. */
  @Nullable String unreadable() {
    return unreadable;
  }

  // Infinity is a time far beyond, which cannot be written again.
  private Instant time(Instant read) {
    if (read.isBefore(MessageLimits.TIME_MIN)) {
      unreadable("its time is before the year 1");
      return MessageLimits.TIME_MIN;
    }
    if (read.isAfter(MessageLimits.TIME_MAX)) {
      unreadable("its time is after the year 9999");
      return MessageLimits.TIME_MAX;
    }
    return read;
  }

  private Map<String, String> headers(@Nullable String text) {
    try {
      return HeaderText.decode(text);
    } catch (IllegalArgumentException e) {
      unreadable("its headers are not form-encoded: " + e.getMessage());
      return Map.of();
    }
  }

  private void unreadable(String why) {
    unreadable = ErrorCode.INVALID_MESSAGE.code() + " it cannot be read: " + why;
  }

  private byte[] payload(byte @Nullable [] read) {
    if (read == null && !fillsIn) {
      unreadable = PayloadLimit.tooLarge(PayloadLimit.bytes());
      return NONE;
    }
    if (read == null) {
      leftOut = true;
      return LEFT_OUT;
    }
    payloadBytes += read.length;
    return read;
  }

  static Message withPayload(Message message, byte[] payload) {
    return new Message(
        message.id(),
        message.topic(),
        message.key(),
        message.type(),
        message.version(),
        payload,
        message.headers(),
        message.time());
  }

  private static String same(String known, String read) {
    return known.equals(read) ? known : read;
  }
}
