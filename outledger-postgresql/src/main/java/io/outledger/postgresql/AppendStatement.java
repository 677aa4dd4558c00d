// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.jdbc.spi.LedgerAppender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Inserts any number of messages into the ledger with one statement. There are two, whose texts
 * never change, so that drivers keep them prepared; they return nothing, so that a writer needs no
 * right to read.
 */
final class AppendStatement implements LedgerAppender {

  // Arrays cost one message about as much as its insert does, on both ends of the line.
  private static final String ONE =
      """
      INSERT INTO {schema}.outledger_message
        (id, topic, key, type, version, payload, headers, time)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  // No index is used to find anything; the primary key gets one entry a message. The order of the
  // positions is the order of the arrays: numbers are drawn above the ORDER BY, and the function's
  // ordinality already has that order, so nothing is sorted.
  private static final String MANY =
      """
      INSERT INTO {schema}.outledger_message
        (id, topic, key, type, version, payload, headers, time)
      SELECT m.id, m.topic, m.key, m.type, m.version, m.payload, m.headers, m.time
      FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bytea[], ?::text[],
          ?::timestamptz[])
        WITH ORDINALITY AS m (id, topic, key, type, version, payload, headers, time, n)
      ORDER BY m.n
      """;

  private final String one;
  private final String many;
  private final String ledger;

  AppendStatement(Tables tables) {
    this.one = tables.in(ONE);
    this.many = tables.in(MANY);
    this.ledger = tables.in("{schema}.outledger_message");
  }

  @Override
  public void append(Connection transaction, List<Message> messages) throws SQLException {
    if (messages.size() == 1) {
      insert(transaction, messages.get(0));
    } else {
      insert(transaction, messages);
    }
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
