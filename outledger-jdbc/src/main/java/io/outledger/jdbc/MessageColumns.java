// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Message;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Messages turned by 90 degrees: one array for each column of the ledger. */
final class MessageColumns {

  private final List<Message> messages;

  MessageColumns(List<Message> messages) {
    this.messages = messages;
  }

  /** Binds the arrays to the parameters 1 to 8, in the order of the ledger's columns. */
  void bind(Connection connection, PreparedStatement statement) throws SQLException {
    Object[][] columns = {
      column(Message::id, java.util.UUID[]::new),
      column(Message::topic, String[]::new),
      column(Message::key, String[]::new),
      column(Message::type, String[]::new),
      column(Message::version, Integer[]::new),
      column(Message::payload, byte[][]::new),
      column(message -> HeaderText.encode(message.headers()), String[]::new),
      column(message -> message.time().toString(), String[]::new)
    };
    String[] types = {"uuid", "text", "text", "text", "int4", "bytea", "text", "timestamptz"};
    for (int i = 0; i < columns.length; i++) {
      Array array = connection.createArrayOf(types[i], columns[i]);
      statement.setArray(i + 1, array);
    }
  }

  private <C> C[] column(Function<Message, @Nullable C> field, IntFunction<C[]> array) {
    C[] column = array.apply(messages.size());
    for (int i = 0; i < column.length; i++) {
      column[i] = field.apply(messages.get(i));
    }
    return column;
  }
}
