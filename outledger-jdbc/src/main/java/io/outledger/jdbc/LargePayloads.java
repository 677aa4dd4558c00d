// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads the payloads that a poll left out, as many as fit. Messages never change, so it does not
 * matter that this is another snapshot; one that was purged in between ends the page before it, and
 * so stays open.
 */
final class LargePayloads {

  private static final int PURGED = -1;

  // Both: one probe of the primary key for each position.
  private static final String SIZES =
      """
      SELECT m.position, octet_length(m.payload) FROM {schema}.outledger_message m
       WHERE m.position = ANY (?)\
      """;
  private static final String PAYLOADS =
      """
      SELECT m.position, m.payload FROM {schema}.outledger_message m
       WHERE m.position = ANY (?)\
      """;

  private final String sizes;
  private final String payloads;
  private final int payloadBytesMax;

  LargePayloads(Tables tables) {
    this(tables, PayloadLimit.bytes());
  }

  /** Makes one that leaves payloads of more bytes where they are, whatever fits. */
  LargePayloads(Tables tables, int payloadBytesMax) {
    this.payloadBytesMax = payloadBytesMax;
    this.sizes = tables.in(SIZES);
    this.payloads = tables.in(PAYLOADS);
  }

  /**
   * Fills in what was left out.
   *
   * @param bytesMax how many payload bytes fit; the first message always does
   * @return how many of the messages, from the first, have their payload and fit
   */
  int fill(Session session, List<LedgerMessage> messages, long bytesMax) throws SQLException {
    long[] leftOut = leftOut(messages);
    Map<Long, Integer> sizeOf = leftOut.length == 0 ? Map.of() : sizes(session, leftOut);
    messages.replaceAll(message -> bounded(message, sizeOf));
    int fitting = fitting(messages, sizeOf, bytesMax);
    long[] wanted = leftOut(messages.subList(0, fitting));
    if (wanted.length == 0) {
      return fitting;
    }
    Map<Long, byte[]> payloadOf = payloads(session, wanted);
    for (int i = 0; i < fitting; i++) {
      LedgerMessage message = messages.get(i);
      if (message.message().payload() == MessageReader.LEFT_OUT) {
        byte[] payload = payloadOf.get(message.position());
        if (payload == null) {
          return i;
        }
        messages.set(
            i,
            new LedgerMessage(
                message.position(), MessageReader.withPayload(message.message(), payload)));
      }
    }
    return fitting;
  }

  /** What is too large is told of without its payload, so that it can be set aside. */
  private LedgerMessage bounded(LedgerMessage message, Map<Long, Integer> sizeOf) {
    boolean isTooLarge = sizeOf.getOrDefault(message.position(), 0) > payloadBytesMax;
    if (!isTooLarge) {
      return message;
    }
    Message without = MessageReader.withPayload(message.message(), new byte[0]);
    return new LedgerMessage(message.position(), without, PayloadLimit.tooLarge(payloadBytesMax));
  }

  private static int fitting(
      List<LedgerMessage> messages, Map<Long, Integer> sizeOf, long bytesMax) {
    long bytes = 0;
    int count = 0;
    for (LedgerMessage message : messages) {
      byte[] payload = message.message().payload();
      int size =
          payload == MessageReader.LEFT_OUT
              ? sizeOf.getOrDefault(message.position(), PURGED)
              : payload.length;
      if (size == PURGED || (count > 0 && bytes + size > bytesMax)) {
        return count;
      }
      bytes += size;
      count++;
    }
    return count;
  }

  private static long[] leftOut(List<LedgerMessage> messages) {
    return messages.stream()
        .filter(message -> message.message().payload() == MessageReader.LEFT_OUT)
        .mapToLong(LedgerMessage::position)
        .toArray();
  }

  private Map<Long, Integer> sizes(Session session, long[] positions) throws SQLException {
    PreparedStatement statement = session.prepare(sizes);
    statement.setArray(1, session.array(positions));
    Map<Long, Integer> sizeOf = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        sizeOf.put(rows.getLong(1), rows.getInt(2));
      }
    }
    return sizeOf;
  }

  private Map<Long, byte[]> payloads(Session session, long[] positions) throws SQLException {
    PreparedStatement statement = session.prepare(payloads);
    statement.setArray(1, session.array(positions));
    Map<Long, byte[]> payloadOf = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        payloadOf.put(rows.getLong(1), rows.getBytes(2));
      }
    }
    return payloadOf;
  }
}
