// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.Message;
import io.outledger.jdbc.spi.HeaderText;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Binds messages to the parameters 1 to 8 of an insert into the ledger: the values of one, or, of
 * many, an array for each column.
 */
final class MessageColumns {

  private static final List<Column<?>> ALL =
      List.of(
          new Column<>("uuid", Message::id, java.util.UUID[]::new),
          new Column<>("text", Message::topic, String[]::new),
          new Column<>("text", Message::key, String[]::new),
          new Column<>("text", Message::type, String[]::new),
          new Column<>("int4", Message::version, Integer[]::new),
          new Column<>("bytea", Message::payload, byte[][]::new),
          new Column<>("text", message -> HeaderText.encode(message.headers()), String[]::new),
          new Column<>("timestamptz", MessageColumns::time, OffsetDateTime[]::new));

  private MessageColumns() {}

  // Not a text: the server would convert it with each insert, and Instant's own takes long to
  // write.
  private static OffsetDateTime time(Message message) {
    return message.time().atOffset(ZoneOffset.UTC);
  }

  private record Column<C>(
      String type, Function<Message, @Nullable C> field, IntFunction<C[]> array) {

    C[] of(List<Message> messages) {
      C[] column = array.apply(messages.size());
      for (int i = 0; i < column.length; i++) {
        column[i] = field.apply(messages.get(i));
      }
      return column;
    }
  }

  static void bind(PreparedStatement statement, Message message) throws SQLException {
    for (int i = 0; i < ALL.size(); i++) {
      Object value = ALL.get(i).field().apply(message);
      if (value == null) { // which only texts are
        statement.setNull(i + 1, Types.VARCHAR);
      } else {
        statement.setObject(i + 1, value);
      }
    }
  }

  static void bind(PreparedStatement statement, List<Message> messages) throws SQLException {
    for (int i = 0; i < ALL.size(); i++) {
      Column<?> column = ALL.get(i);
      Array array = statement.getConnection().createArrayOf(column.type(), column.of(messages));
      statement.setArray(i + 1, array);
    }
  }
}
