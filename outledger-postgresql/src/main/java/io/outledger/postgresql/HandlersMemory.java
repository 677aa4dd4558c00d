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
 * a subscription that is deleted. The handlers skip recorded positions: right after a crash, but
 * perhaps not what a replay wants.
 */
final class HandlersMemory {

  // No upper end: what is above was processed and not saved yet, and comes again as well.
  // A range of the primary key for each handler: consumers are named for the subscription and the
  // handler, and '0' follows '/'. The source belongs to this subscription alone, where another's
  // name begins like this one's.
  private static final String THOSE =
      """
       FROM {schema}.outledger_inbox i
       WHERE i.consumer > ? || '/' AND i.consumer < ? || '0' AND i.source = ?
         AND i.message_id > lpad(?::bigint::text, 19, '0')\
      """;

  private final String count;
  private final String forget;
  private final String subscription;

  HandlersMemory(Tables tables, CursorKey key) {
    this.count = tables.in("SELECT count(*)" + THOSE);
    this.forget = tables.in("DELETE" + THOSE);
    this.subscription = key.subscription();
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

  private PreparedStatement bound(Connection connection, String sql, long above)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setString(1, subscription);
    statement.setString(2, subscription);
    statement.setString(3, Received.LEDGER + subscription);
    statement.setLong(4, above);
    return statement;
  }
}
