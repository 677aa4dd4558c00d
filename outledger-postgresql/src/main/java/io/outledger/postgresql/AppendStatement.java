// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.jdbc.spi.LedgerAppender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Inserts messages into the ledger, any usual number with one statement. There are two, whose texts
 * never change, so that drivers keep them prepared; they return nothing, so that a writer needs no
 * right to read.
 */
final class AppendStatement implements LedgerAppender {

  // Arrays cost one message about as much as its insert does, on both ends of the line.
  private static final String ONE =
      """
      INSERT INTO {schema}.outledger_message
        (id, topic, message_key, type, version, payload, headers, time)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  // No index is used to find anything; the primary key gets one entry a message. The order of the
  // positions is the order of the arrays: numbers are drawn above the ORDER BY, and the function's
  // ordinality already has that order, so nothing is sorted.
  private static final String MANY =
      """
      INSERT INTO {schema}.outledger_message
        (id, topic, message_key, type, version, payload, headers, time)
      SELECT m.id, m.topic, m.message_key, m.type, m.version, m.payload, m.headers, m.time
      FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bytea[], ?::text[],
          ?::timestamptz[])
        WITH ORDINALITY AS m (id, topic, message_key, type, version, payload, headers, time, n)
      ORDER BY m.n
      """;

  private static final String MAY_KNOW =
      "SELECT has_table_privilege('{schema}.outledger_subscription', 'SELECT')";
  private static final String IS_READ =
      "SELECT EXISTS (SELECT FROM {schema}.outledger_subscription)";

  private static final String RENUMBERING =
      """
      SELECT setval('{schema}.outledger_message_position', greatest(1, \
      (SELECT max(position) FROM {schema}.outledger_message), \
      (SELECT max(high) FROM {schema}.outledger_cursor)))\
      """;

  /**
   * How many bytes of payloads and headers one statement takes; a larger message goes alone. The
   * driver's and the server's own limit is 1 GB for all parameters together, as texts.
   */
  private static final int BYTES_MAX = 64 << 20;

  private final Tables tables;
  private final String one;
  private final String many;
  private final String ledger;
  private final long bytesMax;

  AppendStatement(Tables tables) {
    this(tables, BYTES_MAX);
  }

  AppendStatement(Tables tables, long bytesMax) {
    this.tables = tables;
    this.one = tables.in(ONE);
    this.many = tables.in(MANY);
    this.ledger = tables.in("{schema}.outledger_message");
    this.bytesMax = bytesMax;
  }

  @Override
  public void append(Connection transaction, List<Message> messages) throws SQLException {
    int from = 0;
    while (from < messages.size()) {
      int to = from + 1;
      long bytes = bytes(messages.get(from));
      while (to < messages.size() && bytes + bytes(messages.get(to)) <= bytesMax) {
        bytes += bytes(messages.get(to));
        to++;
      }
      if (to - from == 1) {
        insert(transaction, messages.get(from));
      } else {
        insert(transaction, messages.subList(from, to));
      }
      from = to;
    }
  }

  private static long bytes(Message message) {
    long bytes = message.payload().length;
    for (Map.Entry<String, String> header : message.headers().entrySet()) {
      bytes += header.getKey().length() + header.getValue().length();
    }
    return bytes;
  }

  @Override
  public boolean isRead(Connection transaction) throws SQLException {
    return !says(transaction, MAY_KNOW) || says(transaction, IS_READ);
  }

  private boolean says(Connection connection, String question) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(question));
        ResultSet row = statement.executeQuery()) {
      return row.next() && row.getBoolean(1);
    }
  }

  @Override
  public String renumbering() {
    return tables.in(RENUMBERING);
  }

  private void insert(Connection connection, Message message) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(one)) {
      MessageColumns.bind(statement, message);
      requireAll(1, statement.executeUpdate());
    }
  }

  private void insert(Connection connection, List<Message> messages) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(many)) {
      MessageColumns.bind(statement, messages);
      requireAll(messages.size(), statement.executeUpdate());
    }
  }

  private void requireAll(int given, int inserted) {
    if (inserted != given) {
      throw new ConfigurationException(
          ErrorCode.LEDGER_ALTERED,
          "a trigger or a rule on "
              + ledger
              + " dropped "
              + (given - inserted)
              + " of "
              + given
              + " appended messages: roll back, and remove it");
    }
  }
}
