// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.MessageLimits;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.PayloadLimit;
import io.outledger.jdbc.spi.RelaySubscription.Shares;
import io.outledger.store.LedgerMessage;
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

  /** Stands for a payload that was left out, and the headers with it. */
  static final byte[] LEFT_OUT = new byte[0];

  /** SQL for about how many bytes of memory a column of headers takes, as {@code bigint}. */
  static final String HEADER_BYTES =
      "coalesce(2 * octet_length(%1$s) + "
          + LedgerMessage.HEADER_BYTES
          + " * (1 + octet_length(%1$s) - octet_length(replace(%1$s, '&', ''))), 0)::bigint";

  private static final byte[] NONE = new byte[0];

  private final int first;
  private final boolean fillsIn;
  private final long bytesMax;
  private final Shares shares;
  private String topic = "";
  private String type = "";
  private @Nullable String unreadable;
  private boolean leftOut;
  private long bytes;

  private MessageReader(int first, boolean fillsIn, long bytesMax, Shares shares) {
    this.first = first;
    this.fillsIn = fillsIn;
    this.bytesMax = bytesMax;
    this.shares = shares;
  }

  /**
   * Makes a reader of a page, whose first column is the position. It leaves out payload and headers
   * where the statement has left out the payload, and where earlier messages already fill the page.
   *
   * @param shares whose messages are wanted; of others the payload is left out for good
   */
  static MessageReader ofPage(long bytesMax, Shares shares) {
    return new MessageReader(2, true, bytesMax, shares);
  }

  /** Makes a reader of messages of which nothing is left out, after their position. */
  static MessageReader ofWhole() {
    return new MessageReader(2, false, Long.MAX_VALUE, Shares.WHOLE);
  }

  /** Makes a reader of parked rows: a payload that their statement leaves out is too large. */
  static MessageReader ofParked() {
    return new MessageReader(ParkedReads.MESSAGE_FROM, false, Long.MAX_VALUE, Shares.WHOLE);
  }

  /** Reads a row of the ledger, with whether it was erased, and counts what it takes. */
  LedgerMessage read(ResultSet row, long position) throws SQLException {
    Message message = read(row);
    LedgerMessage read =
        new LedgerMessage(position, message, unreadable, row.getBoolean(first + 8));
    bytes += read.bytes();
    return read;
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
    byte[] payload = bytes > bytesMax ? null : row.getBytes(first + 6);
    if (payload == null && fillsIn && unreadable == null) {
      boolean isWanted = shares.has(key, id);
      leftOut |= isWanted;
      byte[] none = isWanted ? LEFT_OUT : NONE;
      return new Message(id, topic, key, type, version, none, Map.of(), time);
    }
    Map<String, String> headers = payload == null ? Map.of() : headers(row.getString(first + 7));
    if (payload == null && unreadable == null) {
      unreadable = PayloadLimit.tooLarge(PayloadLimit.bytes());
    }
    byte[] known = payload == null || unreadable != null ? NONE : payload;
    return new Message(id, topic, key, type, version, known, headers, time);
  }

  /** Returns whether all that was read has its payload and headers, and they fit. */
  boolean isWhole() {
    return !leftOut && bytes <= bytesMax;
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
    unreadable = ErrorCode.INVALID_MESSAGE.code() + " the row cannot be read: " + why;
  }

  private static String same(String known, String read) {
    return known.equals(read) ? known : read;
  }
}
