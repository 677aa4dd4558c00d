// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Message;
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

  private final int first;
  private String topic = "";
  private String type = "";
  private boolean leftOut;
  private long payloadBytes;

  MessageReader(int first) {
    this.first = first;
  }

  Message read(ResultSet row) throws SQLException {
    Instant time = row.getObject(first, OffsetDateTime.class).toInstant();
    UUID id = row.getObject(first + 1, UUID.class);
    int version = row.getInt(first + 2);
    topic = same(topic, row.getString(first + 3));
    String key = row.getString(first + 4);
    type = same(type, row.getString(first + 5));
    byte[] payload = payload(row.getBytes(first + 6));
    Map<String, String> headers = HeaderText.decode(row.getString(first + 7));
    return new Message(id, topic, key, type, version, payload, headers, time);
  }

  /** Returns whether all that was read has its payload, and all payloads together fit. */
  boolean isWhole(long bytesMax) {
    return !leftOut && payloadBytes <= bytesMax;
  }

  private byte[] payload(byte @Nullable [] read) {
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
