// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.Message;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.LedgerAppender;
import io.outledger.jdbc.sql.Sql;
import io.outledger.jdbc.sql.WholeAppend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Inserts messages into the ledger, one after the other with one statement: SQLite runs within the
 * process, so there is no round trip to save. The transaction has the lock for writers before it
 * draws the first number.
 */
record AppendStatement(Tables tables) implements LedgerAppender {

  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_message
             (id, topic, message_key, type, version, payload, headers, time)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)\
      """;

  private static final String IS_READ = "SELECT EXISTS (SELECT 1 FROM {schema}.outledger_cursor c)";

  // SQLite draws above the highest position, too, where this was lost.
  private static final String RENUMBERING =
      """
      UPDATE {schema}.sqlite_sequence SET seq = MAX(
        (SELECT COALESCE(MAX(m.position), 0) FROM {schema}.outledger_message m),
        (SELECT COALESCE(MAX(c.high), 0) FROM {schema}.outledger_cursor c))
       WHERE name = 'outledger_message'\
      """;

  @Override
  public void append(Connection transaction, List<Message> messages) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(tables.in(INSERT))) {
      WholeAppend.of(transaction, messages, message -> insert(statement, message));
    } catch (SQLException e) {
      throw WriteLock.explained(e);
    }
  }

  private void insert(PreparedStatement statement, Message message) throws SQLException {
    tables
        .values()
        .bind(
            statement,
            message.id(),
            message.topic(),
            message.key(),
            message.type(),
            message.version(),
            message.payload(),
            HeaderText.encode(message.headers()),
            message.time());
    if (statement.executeUpdate() == 0) {
      throw new SQLException(
          "a trigger dropped a row of outledger_message: remove the trigger", "0A000");
    }
  }

  @Override
  public boolean isRead(Connection transaction) throws SQLException {
    return Sql.in(tables, transaction, IS_READ).number() > 0;
  }

  @Override
  public String renumbering() {
    return tables.in(RENUMBERING);
  }
}
