// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.sql.HandlersMemory;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The inbox records of one subscription's transactional handlers. They are read before they are
 * deleted, each by its key: a DELETE with a condition waits for every row that it passes and that a
 * handler at work has inserted.
 */
final class HandlersRecords implements HandlersMemory {

  private static final int ROWS_A_STEP = 1_000;
  private static final UUID LOWEST = new UUID(0, 0);

  // A small table.
  private static final String CONSUMERS =
      """
      SELECT DISTINCT c.consumer_no FROM {schema}.outledger_inbox_consumer c
       WHERE c.subscription = ?\
      """;

  // Both: a range of the primary key.
  private static final String ALL =
      """
       FROM {schema}.outledger_inbox i
       WHERE i.consumer_no = ? AND i.message_hash >= ?\
      """;

  // See InboxKey: the hash begins with the position. One probe of the ledger for each.
  private static final String READ_AGAIN =
      ALL
          + """
             AND EXISTS (
                 SELECT 1 FROM {schema}.outledger_inbox_consumer c
                   JOIN {schema}.outledger_message m
                  WHERE m.position
                      = CAST(CONV(HEX(SUBSTRING(i.message_hash, 1, 8)), 16, 10) AS SIGNED)
                    AND c.subscription = ? AND c.consumer_no = i.consumer_no
                    AND SUBSTRING(i.message_hash, 9)
                      = SUBSTRING(UNHEX(SHA2(CONCAT(
                          CAST(COALESCE(c.hashed_consumer, c.consumer) AS BINARY), CHAR(0),
                          CAST(COALESCE(c.hashed_source, ?) AS BINARY), CHAR(0),
                          CAST(LPAD(m.position, 19, '0') AS BINARY), '/',
                          CAST(INSERT(INSERT(INSERT(INSERT(LOWER(HEX(m.id)), 21, 0, '-'),
                               17, 0, '-'), 13, 0, '-'), 9, 0, '-') AS BINARY)), 256)), 1, 8))\
          """;

  private static final String STEP =
      "SELECT i.message_hash%s ORDER BY i.message_hash LIMIT " + ROWS_A_STEP;
  private static final String FORGET =
      "DELETE FROM {schema}.outledger_inbox WHERE consumer_no = ? AND message_hash IN (%s)";

  private final Tables tables;
  private final String subscription;

  HandlersRecords(Tables tables, CursorKey key) {
    this.tables = tables;
    this.subscription = key.subscription();
  }

  @Override
  public long count(Connection connection, OptionalLong above) throws SQLException {
    long count = 0;
    for (int consumer : above.isEmpty() ? List.<Integer>of() : consumers(connection)) {
      count +=
          ofReadAgain(connection, "SELECT COUNT(*)" + READ_AGAIN, consumer, from(above)).number();
    }
    return count;
  }

  @Override
  public long forget(Connection connection, OptionalLong above) throws SQLException {
    long forgotten = 0;
    for (int consumer : above.isEmpty() ? List.<Integer>of() : consumers(connection)) {
      forgotten +=
          forget(
              connection,
              consumer,
              from(above),
              lowest -> ofReadAgain(connection, STEP.formatted(READ_AGAIN), consumer, lowest));
    }
    return forgotten;
  }

  @Override
  public void forgetAll(Connection connection) throws SQLException {
    for (int consumer : consumers(connection)) {
      forget(
          connection,
          consumer,
          LOWEST,
          lowest -> Sql.in(tables, connection, STEP.formatted(ALL), consumer, lowest));
    }
  }

  private static UUID from(OptionalLong above) {
    return new UUID(above.getAsLong() + 1, 0);
  }

  private List<Integer> consumers(Connection connection) throws SQLException {
    return Sql.in(tables, connection, CONSUMERS, subscription).rows(row -> row.getInt(1));
  }

  private Sql ofReadAgain(Connection connection, String sql, int consumer, UUID lowest) {
    return Sql.in(
        tables,
        connection,
        sql,
        consumer,
        lowest,
        subscription,
        Received.inboxSourceOf(subscription));
  }

  /** Reads the next records from a hash on. */
  private interface Step {
    Sql from(UUID lowest);
  }

  private long forget(Connection connection, int consumer, UUID lowest, Step step)
      throws SQLException {
    long forgotten = 0;
    UUID next = lowest;
    List<UUID> found;
    do {
      found = step.from(next).rows(row -> MySqlValues.ALL.uuid(row, 1));
      if (!found.isEmpty()) {
        next = found.get(found.size() - 1);
        List<Object> values = new ArrayList<>(List.of(consumer));
        values.addAll(found);
        String marks = String.join(", ", Collections.nCopies(found.size(), "?"));
        forgotten += Sql.in(tables, connection, FORGET.formatted(marks), values.toArray()).update();
      }
    } while (found.size() == ROWS_A_STEP);
    return forgotten;
  }
}
