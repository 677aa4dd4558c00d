// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.PayloadLimit;
import io.outledger.store.LedgerMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads the payloads and headers that a poll left out, as many as fit. Messages never change, but
 * for one that is erased, so it does not matter that this is another snapshot; one that was purged
 * in between ends the page before it, and so stays open.
 */
final class LargeMessages {

  // Both: one probe of the primary key for each position. None of it is loaded to tell its length.
  private static final String SIZES =
      """
      SELECT m.position, octet_length(m.payload), %s FROM {schema}.outledger_message m
       WHERE m.position = ANY (?)\
      """
          .formatted(MessageReader.HEADER_BYTES.formatted("m.headers"));
  private static final String WHOLE =
      """
      SELECT m.position, m.time, m.id, m.version, m.topic, m.message_key, m.type, m.payload,
             m.headers, m.erased
        FROM {schema}.outledger_message m WHERE m.position = ANY (?)\
      """;

  private final String sizes;
  private final String whole;
  private final int payloadBytesMax;

  LargeMessages(Tables tables) {
    this(tables, PayloadLimit.bytes());
  }

  /** Makes one that leaves payloads of more bytes where they are, whatever fits. */
  LargeMessages(Tables tables, int payloadBytesMax) {
    this.payloadBytesMax = payloadBytesMax;
    this.sizes = tables.in(SIZES);
    this.whole = tables.in(WHOLE);
  }

  /** How large a message is: the bytes of its payload, and of its headers in memory. */
  private record Size(int payload, long headers) {}

  /**
   * Fills in what was left out.
   *
   * @param bytesMax how many bytes of payloads and headers fit; the first message always does
   * @return how many of the messages, from the first, are whole and fit
   */
  int fill(Session session, List<LedgerMessage> messages, long bytesMax) throws SQLException {
    long[] leftOut = leftOut(messages);
    Map<Long, Size> sizeOf = leftOut.length == 0 ? Map.of() : sizes(session, leftOut);
    messages.replaceAll(message -> bounded(message, sizeOf));
    int fitting = fitting(messages, sizeOf, bytesMax);
    long[] wanted = leftOut(messages.subList(0, fitting));
    if (wanted.length == 0) {
      return fitting;
    }
    Map<Long, LedgerMessage> wholeAt = whole(session, wanted);
    for (int i = 0; i < fitting; i++) {
      LedgerMessage message = messages.get(i);
      if (isLeftOut(message)) {
        LedgerMessage found = wholeAt.get(message.position());
        if (found == null) {
          return i;
        }
        messages.set(i, found);
      }
    }
    return fitting;
  }

  /** What is too large is told of without its payload, so that it can be set aside. */
  private LedgerMessage bounded(LedgerMessage message, Map<Long, Size> sizeOf) {
    Size size = sizeOf.get(message.position());
    boolean isTooLarge = size != null && size.payload() > payloadBytesMax;
    return isTooLarge
        ? new LedgerMessage(
            message.position(), message.message(), PayloadLimit.tooLarge(payloadBytesMax))
        : message;
  }

  private static int fitting(List<LedgerMessage> messages, Map<Long, Size> sizeOf, long bytesMax) {
    long bytes = 0;
    int count = 0;
    for (LedgerMessage message : messages) {
      long added = message.bytes();
      if (isLeftOut(message)) {
        Size size = sizeOf.get(message.position());
        if (size == null) {
          return count; // purged
        }
        added = size.payload() + size.headers();
      }
      if (count > 0 && bytes + added > bytesMax) {
        return count;
      }
      bytes += added;
      count++;
    }
    return count;
  }

  private static boolean isLeftOut(LedgerMessage message) {
    return message.message().payload() == MessageReader.LEFT_OUT && message.unreadable() == null;
  }

  private static long[] leftOut(List<LedgerMessage> messages) {
    return messages.stream()
        .filter(LargeMessages::isLeftOut)
        .mapToLong(LedgerMessage::position)
        .toArray();
  }

  private Map<Long, Size> sizes(Session session, long[] positions) throws SQLException {
    PreparedStatement statement = session.prepare(sizes);
    statement.setArray(1, session.array(positions));
    Map<Long, Size> sizeOf = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        sizeOf.put(rows.getLong(1), new Size(rows.getInt(2), rows.getLong(3)));
      }
    }
    return sizeOf;
  }

  private Map<Long, LedgerMessage> whole(Session session, long[] positions) throws SQLException {
    PreparedStatement statement = session.prepare(whole);
    statement.setArray(1, session.array(positions));
    MessageReader reader = MessageReader.ofWhole();
    Map<Long, LedgerMessage> wholeAt = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        wholeAt.put(rows.getLong(1), reader.read(rows, rows.getLong(1)));
      }
    }
    return wholeAt;
  }
}
