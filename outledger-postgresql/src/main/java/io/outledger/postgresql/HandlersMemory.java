// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * The inbox records of one subscription's transactional handlers in a range that is replayed, or of
 * a subscription that is deleted. The handlers skip recorded messages: right after a crash, but
 * perhaps not what a replay wants. Of a message that the ledger does not have any more they go on
 * remembering: it may be parked, or at work, and must not take effect twice.
 */
final class HandlersMemory {

  // No upper end: what is above was processed and not saved yet, and comes again as well.
  // A range of the primary key for each consumer, whatever its name: one step along the index finds
  // the next consumer. The source says whose positions they are.
  private static final String CONSUMERS =
      """
      WITH RECURSIVE each AS (
        SELECT min(i.consumer) AS consumer FROM {schema}.outledger_inbox i
        UNION ALL
        SELECT (SELECT min(i.consumer) FROM {schema}.outledger_inbox i
                 WHERE i.consumer > each.consumer)
          FROM each WHERE each.consumer IS NOT NULL)
      """;
  private static final String ALL =
      """
       FROM {schema}.outledger_inbox i
       WHERE i.consumer = ANY (ARRAY(SELECT each.consumer FROM each)) AND i.source = ?\
      """;

  // See Received.ledgerId. One probe of the ledger for each, which OFFSET 0 has the planner make
  // one
  // by one.
  private static final String REPLAYED =
      """
         AND i.message_id >= lpad((?::bigint + 1)::text, 19, '0')
         AND EXISTS (SELECT FROM {schema}.outledger_message m
                      WHERE m.position = CASE WHEN i.message_id ~ '^0[0-9]{18}/'
                                              THEN left(i.message_id, 19)::bigint END
                        AND m.id::text = substr(i.message_id, 21) OFFSET 0)\
      """;

  private final String count;
  private final String forget;
  private final String forgetAll;
  private final String source;

  HandlersMemory(Tables tables, CursorKey key) {
    this.count = tables.in(CONSUMERS + "SELECT count(*)" + ALL + REPLAYED);
    this.forget = tables.in(CONSUMERS + "DELETE" + ALL + REPLAYED);
    this.forgetAll = tables.in(CONSUMERS + "DELETE" + ALL);
    this.source = Received.inboxSourceOf(key.subscription());
  }

  /** Returns how many times one of them would pass over a message above a position, if any. */
  long count(Connection connection, OptionalLong above) throws SQLException {
    if (above.isEmpty()) {
      return 0;
    }
    try (PreparedStatement statement = bound(connection, count, above.getAsLong());
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Makes them forget what is above a position, if any, and returns how much that was. */
  long forget(Connection connection, OptionalLong above) throws SQLException {
    if (above.isEmpty()) {
      return 0;
    }
    try (PreparedStatement statement = bound(connection, forget, above.getAsLong())) {
      return statement.executeLargeUpdate();
    }
  }

  /** Makes them forget everything. */
  void forgetAll(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(forgetAll)) {
      statement.setString(1, source);
      statement.executeUpdate();
    }
  }

  private PreparedStatement bound(Connection connection, String sql, long above)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setString(1, source);
    statement.setLong(2, above);
    return statement;
  }
}
