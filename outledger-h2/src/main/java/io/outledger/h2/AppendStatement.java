// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.Message;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.LedgerAppender;
import io.outledger.jdbc.sql.Sql;
import io.outledger.jdbc.sql.WholeAppend;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Inserts messages into the ledger, always as {@code INSERT … SELECT}: H2 then takes the table's
 * lock before it draws the first number, and a relay sees that lock until the transaction has
 * ended. {@code INSERT … VALUES} draws the number first.
 */
final class AppendStatement implements LedgerAppender {

  /** H2's limit for a binary value that is not a large object. */
  private static final int BINARY_MAX = 1 << 20;

  private static final String ONE =
      """
      INSERT INTO {schema}.outledger_message
        (id, topic, message_key, type, version, payload, headers, time)
      SELECT CAST(? AS UUID), CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR),
             CAST(? AS INTEGER), CAST(? AS BINARY LARGE OBJECT), CAST(? AS VARCHAR),
             CAST(? AS TIMESTAMP(6) WITH TIME ZONE)\
      """;

  // The arrays' order is that of the positions.
  private static final String MANY =
      """
      INSERT INTO {schema}.outledger_message
        (id, topic, message_key, type, version, payload, headers, time)
      SELECT m.id, m.topic, m.k, m.type, m.version, m.payload, m.headers, m.time
        FROM UNNEST(CAST(? AS UUID ARRAY), CAST(? AS VARCHAR ARRAY), CAST(? AS VARCHAR ARRAY),
             CAST(? AS VARCHAR ARRAY), CAST(? AS INTEGER ARRAY), CAST(? AS VARBINARY ARRAY),
             CAST(? AS VARCHAR ARRAY), CAST(? AS TIMESTAMP(6) WITH TIME ZONE ARRAY))
             WITH ORDINALITY AS m (id, topic, k, type, version, payload, headers, time, n)
       ORDER BY m.n\
      """;

  /** What one statement takes at most: H2's arrays have a limit. */
  private static final int ROWS_MAX = 50_000;

  private static final String IS_READ = "SELECT COUNT(*) FROM {schema}.outledger_cursor";

  private static final String RENUMBERING =
      """
      ALTER SEQUENCE {schema}.outledger_message_position RESTART WITH (SELECT 1 + GREATEST(\
      (SELECT COALESCE(MAX(position), 0) FROM {schema}.outledger_message), \
      (SELECT COALESCE(MAX(high), 0) FROM {schema}.outledger_cursor)))\
      """;

  private final Tables tables;
  private final String one;
  private final String many;

  AppendStatement(Tables tables) {
    this.tables = tables;
    this.one = tables.in(ONE);
    this.many = tables.in(MANY);
  }

  /** One statement, unless a payload is larger than an array of H2 can hold: that goes alone. */
  @Override
  public void append(Connection transaction, List<Message> messages) throws SQLException {
    WholeAppend.of(
        transaction,
        parts(messages),
        part -> {
          if (part.size() > 1) {
            insert(transaction, part);
          } else {
            insert(transaction, part.get(0));
          }
        });
  }

  private static List<List<Message>> parts(List<Message> messages) {
    List<List<Message>> parts = new ArrayList<>();
    int from = 0;
    while (from < messages.size()) {
      int to = from;
      while (to < messages.size()
          && to - from < ROWS_MAX
          && messages.get(to).payload().length <= BINARY_MAX) {
        to++;
      }
      to = Math.max(to, from + 1);
      parts.add(messages.subList(from, to));
      from = to;
    }
    return parts;
  }

  /** A refused statement does not end a transaction of H2. */
  @Override
  public boolean isRead(Connection transaction) throws SQLException {
    try {
      return Sql.of(transaction, tables.in(IS_READ)).number() > 0;
    } catch (SQLException e) {
      if (H2Errors.TABLE.classOf(e) == ErrorClass.RIGHT_MISSING) {
        return true;
      }
      throw e;
    }
  }

  @Override
  public String renumbering() {
    return tables.in(RENUMBERING);
  }

  private void insert(Connection connection, Message message) throws SQLException {
    Sql.of(
            connection,
            one,
            message.id(),
            message.topic(),
            message.key(),
            message.type(),
            message.version(),
            message.payload(),
            HeaderText.encode(message.headers()),
            time(message))
        .update();
  }

  private void insert(Connection connection, List<Message> messages) throws SQLException {
    Sql.of(
            connection,
            many,
            column(messages, Message::id, Object[]::new),
            column(messages, Message::topic, Object[]::new),
            column(messages, Message::key, Object[]::new),
            column(messages, Message::type, Object[]::new),
            column(messages, Message::version, Object[]::new),
            column(messages, Message::payload, Object[]::new),
            column(messages, m -> HeaderText.encode(m.headers()), Object[]::new),
            column(messages, AppendStatement::time, Object[]::new))
        .update();
  }

  private static OffsetDateTime time(Message message) {
    return message.time().atOffset(ZoneOffset.UTC);
  }

  private static Object column(
      List<Message> messages,
      Function<Message, @Nullable Object> field,
      IntFunction<Object[]> array) {
    return messages.stream().map(field).toArray(array);
  }
}
