// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.InboxKey;
import io.outledger.jdbc.spi.InboxName;
import io.outledger.jdbc.sql.HandlersMemory;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

/**
 * What transactional handlers remember of messages that are read again, after a move back. SQLite
 * computes no SHA-256, so the messages come here, one after the other.
 */
record HandlersRecords(Tables tables, CursorKey key) implements HandlersMemory {

  private static final String NAMES =
      """
      SELECT DISTINCT c.consumer, c.consumer_no, COALESCE(c.hashed_consumer, c.consumer),
             COALESCE(c.hashed_source, ?)
        FROM {schema}.outledger_inbox_consumer c WHERE c.subscription = ?\
      """;

  // A range of the primary key.
  private static final String MESSAGES =
      "SELECT m.position, m.id FROM {schema}.outledger_message m WHERE m.position > ?";

  // All: the primary key.
  private static final String OF_ONE =
      " FROM {schema}.outledger_inbox WHERE consumer_no = ? AND message_hash = ?";
  private static final String OF_ALL =
      """
      DELETE FROM {schema}.outledger_inbox WHERE consumer_no IN (
        SELECT c.consumer_no FROM {schema}.outledger_inbox_consumer c WHERE c.subscription = ?)\
      """;

  /** What is done with a record, if it is there; returns how many there were. */
  @FunctionalInterface
  private interface Step {
    long of(InboxKey record) throws SQLException;
  }

  @Override
  public long count(Connection connection, OptionalLong above) throws SQLException {
    return ofReadAgain(
        connection,
        above,
        each ->
            Sql.in(tables, connection, "SELECT COUNT(*)" + OF_ONE, each.consumerNo(), each.hash())
                .number());
  }

  @Override
  public long forget(Connection connection, OptionalLong above) throws SQLException {
    return ofReadAgain(
        connection,
        above,
        each ->
            Sql.in(tables, connection, "DELETE" + OF_ONE, each.consumerNo(), each.hash()).update());
  }

  @Override
  public void forgetAll(Connection connection) throws SQLException {
    Sql.in(tables, connection, OF_ALL, key.subscription()).update();
  }

  private long ofReadAgain(Connection connection, OptionalLong above, Step step)
      throws SQLException {
    String source = Received.inboxSourceOf(key.subscription());
    List<InboxName> names =
        Sql.in(tables, connection, NAMES, source, key.subscription())
            .rows(
                row ->
                    new InboxName(
                        row.getString(1),
                        key.subscription(),
                        row.getInt(2),
                        row.getString(3),
                        row.getString(4)));
    if (above.isEmpty() || names.isEmpty()) {
      return 0;
    }
    long[] all = {0};
    Sql.in(tables, connection, MESSAGES, above.getAsLong())
        .read(
            row -> {
              String id = Received.ledgerId(row.getLong(1), tables.values().uuid(row, 2));
              for (InboxName name : names) {
                all[0] += step.of(InboxKey.of(name, new InboxId(source, id)));
              }
              return true;
            });
    return all[0];
  }
}
