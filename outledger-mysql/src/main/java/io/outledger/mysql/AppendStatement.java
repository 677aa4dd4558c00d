// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.LedgerAppender;
import io.outledger.jdbc.spi.MissingRow;
import io.outledger.jdbc.sql.Sql;
import io.outledger.jdbc.sql.WholeAppend;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Inserts messages into the ledger. The first row of each statement locks a slot of the gate before
 * its number is drawn, and a relay sees that lock until the transaction has ended; in a later row
 * it would come too late. Each statement locks, because rolling back to a savepoint may free an
 * earlier lock.
 */
final class AppendStatement implements LedgerAppender {

  // The time is that of the statement, so one row is found by the primary key. It is not null where
  // the row of the gate is missing: the insert fails, unless the session is not strict. Then the
  // version's sub-select fails instead, since it returns more than one row.
  private static final String FIRST =
      """
      INSERT INTO {schema}.outledger_message
        (gate, id, topic, message_key, type, version, payload, headers, time)
      VALUES ((SELECT g.slot FROM {schema}.outledger_gate g
                WHERE g.slot = (UNIX_TIMESTAMP() MOD 16) LOCK IN SHARE MODE),
              ?, ?, ?, ?,
              CASE WHEN LOCATE('STRICT_', @@SESSION.sql_mode) > 0 THEN ?
                   ELSE (SELECT s.slot FROM {schema}.outledger_gate s) END,
              ?, ?, ?)\
      """;

  private static final String NEXT = ", (0, ?, ?, ?, ?, ?, ?, ?, ?)";

  /** What one statement takes at most, below what the server takes in a packet. */
  private static final int ROWS_MAX = 1_000;

  private static final long BYTES_MAX = 4L << 20;

  /** Form-encoded, a character takes this many bytes at most. */
  private static final int HEADER_CHAR_BYTES = 9;

  private static final int CHAR_BYTES = 3;
  private static final int ROW_BYTES = 200;

  /** What a statement has beside its rows: its text, and the names in it. */
  private static final int STATEMENT_BYTES = 1_000;

  /** No server that anybody uses takes less. */
  private static final int PACKET_SMALL = 1 << 20;

  /** More than anything: the limit was not asked. */
  private static final long UNKNOWN = Long.MAX_VALUE;

  /** A driver that writes values into the statement writes some bytes as two. */
  private static final int ESCAPED_BYTES = 2;

  private static final String ESCAPED = "\0\n\r\u001a\"'\\";

  private static final int SEVERAL_ROWS = 1242;
  private static final int NULL_VALUE = 1048;
  private static final String REFUSED = "22000";

  private static final String IS_READ = "SELECT EXISTS (SELECT 1 FROM {schema}.outledger_cursor c)";

  // InnoDB sets it to the number after the highest position, where that is higher.
  private static final String RENUMBERING =
      """
      ALTER TABLE {schema}.outledger_message AUTO_INCREMENT = 1 (or one more than SELECT MAX(high) \
      FROM {schema}.outledger_cursor, where that is higher)\
      """;

  private final Tables tables;

  AppendStatement(Tables tables) {
    this.tables = tables;
  }

  /** One statement, unless that would be too large. */
  @Override
  public void append(Connection transaction, List<Message> messages) throws SQLException {
    WholeAppend.of(transaction, parts(transaction, messages), part -> insert(transaction, part));
  }

  /** Measures all before the first is inserted, so that nothing is where one is too large. */
  private List<List<Message>> parts(Connection connection, List<Message> messages)
      throws SQLException {
    long packetMax = packetMax(connection, messages);
    List<List<Message>> parts = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    long written = STATEMENT_BYTES;
    for (int to = 0; to < messages.size(); to++) {
      Message message = messages.get(to);
      long more = bytes(message);
      long moreWritten = packetMax == UNKNOWN ? 0 : more + escapes(message);
      if (STATEMENT_BYTES + moreWritten >= packetMax) {
        throw tooLarge(message, STATEMENT_BYTES + moreWritten, packetMax);
      }
      boolean isFull =
          to - from == ROWS_MAX || bytes + more > BYTES_MAX || written + moreWritten >= packetMax;
      if (to > from && isFull) {
        parts.add(messages.subList(from, to));
        from = to;
        bytes = 0;
        written = STATEMENT_BYTES;
      }
      bytes += more;
      written += moreWritten;
    }
    parts.add(messages.subList(from, messages.size()));
    return parts;
  }

  /**
   * Returns what the server takes in one packet, which is asked where it could matter. A larger one
   * makes it drop the connection, which looks like an outage.
   */
  private long packetMax(Connection connection, List<Message> messages) throws SQLException {
    long bytes = STATEMENT_BYTES;
    for (Message message : messages) {
      bytes += bytes(message) * ESCAPED_BYTES;
    }
    return bytes < PACKET_SMALL
        ? UNKNOWN
        : Sql.in(tables, connection, "SELECT @@SESSION.max_allowed_packet").number();
  }

  private static SQLException tooLarge(Message message, long bytes, long packetMax) {
    return new SQLException(
        "the message has a payload of "
            + message.payload().length
            + " bytes, in a statement of about "
            + bytes
            + ", and the server's max_allowed_packet is "
            + packetMax
            + ": set that to twice the largest payload, or append smaller ones",
        REFUSED);
  }

  private static long bytes(Message message) {
    String key = message.key();
    int names =
        message.topic().length() + message.type().length() + (key == null ? 0 : key.length());
    long headers = 0;
    for (Map.Entry<String, String> each : message.headers().entrySet()) {
      headers += each.getKey().length() + each.getValue().length() + 2;
    }
    return message.payload().length + names * CHAR_BYTES + headers * HEADER_CHAR_BYTES + ROW_BYTES;
  }

  private void insert(Connection connection, List<Message> messages) throws SQLException {
    List<@Nullable Object> values = new ArrayList<>();
    for (Message message : messages) {
      values.add(message.id());
      values.add(message.topic());
      values.add(message.key());
      values.add(message.type());
      values.add(message.version());
      values.add(message.payload());
      values.add(HeaderText.encode(message.headers()));
      values.add(message.time());
    }
    String sql = FIRST + NEXT.repeat(messages.size() - 1);
    try {
      Sql.in(tables, connection, sql, values.toArray()).update();
    } catch (SQLException e) {
      throw explained(e);
    }
  }

  /** Returns how many bytes of a payload are written as two. */
  private static long escapes(Message message) {
    long count = 0;
    for (byte each : message.payload()) {
      if (ESCAPED.indexOf(each) >= 0) {
        count++;
      }
    }
    return count;
  }

  /**
   * Says what to do about what a session or a user was not set up for.
   *
   * @throws ConfigurationException {@code OUT-003} if the row of the gate is missing
   */
  private SQLException explained(SQLException failure) {
    if (failure.getErrorCode() == NULL_VALUE && String.valueOf(failure).contains("'gate'")) {
      throw MissingRow.of("outledger_gate");
    }
    if (failure.getErrorCode() == SEVERAL_ROWS) {
      return new SQLException(
          "the session's sql_mode is not strict, so values could be cut, or a gate that is missing"
              + " go unnoticed: add STRICT_TRANS_TABLES to it: "
              + failure.getMessage(),
          REFUSED,
          failure);
    }
    return failure;
  }

  /** A refused statement does not end a transaction here. */
  @Override
  public boolean isRead(Connection transaction) throws SQLException {
    try {
      return Sql.in(tables, transaction, IS_READ).number() > 0;
    } catch (SQLException e) {
      if (MySqlErrors.TABLE.classOf(e) == ErrorClass.RIGHT_MISSING) {
        return true;
      }
      throw e;
    }
  }

  @Override
  public String renumbering() {
    return tables.in(RENUMBERING);
  }
}
