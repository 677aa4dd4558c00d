// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.Message;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.LedgerAppender;
import io.outledger.jdbc.sql.Sql;
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

  /** No server that anybody uses takes less. */
  private static final int PACKET_SMALL = 1 << 20;

  /** A driver that writes values into the statement writes some bytes as two. */
  private static final int ESCAPED_BYTES = 2;

  private static final String ESCAPED = "\0\n\r\u001a\"'\\";

  private static final int SEVERAL_ROWS = 1242;
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
    int from = 0;
    while (from < messages.size()) {
      int to = from;
      long bytes = 0;
      do {
        bytes += bytes(messages.get(to));
        to++;
      } while (to < messages.size()
          && to - from < ROWS_MAX
          && bytes + bytes(messages.get(to)) <= BYTES_MAX);
      insert(transaction, messages.subList(from, to));
      from = to;
    }
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
    if (!fits(connection, messages)) {
      int half = messages.size() / 2;
      insert(connection, messages.subList(0, half));
      insert(connection, messages.subList(half, messages.size()));
      return;
    }
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

  /**
   * Returns whether the server takes them in one packet. A larger one makes it drop the connection,
   * which looks like an outage.
   *
   * @throws SQLException if it is one message that is too large
   */
  private boolean fits(Connection connection, List<Message> messages) throws SQLException {
    long bytes = messages.stream().mapToLong(AppendStatement::bytes).sum();
    if (bytes * ESCAPED_BYTES < PACKET_SMALL) {
      return true;
    }
    long escaped = messages.stream().mapToLong(each -> bytes(each) + escapes(each)).sum();
    long max = Sql.in(tables, connection, "SELECT @@SESSION.max_allowed_packet").number();
    if (escaped >= max && messages.size() == 1) {
      throw new SQLException(
          "the message has a payload of "
              + messages.get(0).payload().length
              + " bytes, in a statement of about "
              + escaped
              + ", and the server's max_allowed_packet is "
              + max
              + ": set that to twice the largest payload, or append smaller ones",
          REFUSED);
    }
    return escaped < max;
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

  /** Says what to do about what a session or a user was not set up for. */
  private SQLException explained(SQLException failure) {
    if (failure.getErrorCode() == SEVERAL_ROWS) {
      return new SQLException(
          "the session's sql_mode is not strict, so values could be cut, or a gate that is missing"
              + " go unnoticed: add STRICT_TRANS_TABLES to it: "
              + failure.getMessage(),
          REFUSED,
          failure);
    }
    if (tables.errors().classOf(failure) == ErrorClass.RIGHT_MISSING) {
      return new SQLException(
          tables.in(
                  "the user needs INSERT on {schema}.outledger_message and SELECT on"
                      + " {schema}.outledger_gate: ")
              + failure.getMessage(),
          failure.getSQLState(),
          failure.getErrorCode(),
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
