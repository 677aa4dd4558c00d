// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.inbox.Received;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What the transactional handlers of one subscription remember of positions that it is moved back
 * over. They pass over what they remember, which is right after a crash and may not be what whoever
 * replays has in mind.
 */
final class HandlersMemory {

  // A range of the primary key for each handler: consumers are named for the subscription and the
  // handler, and '0' follows '/'. The source belongs to this subscription alone, where another's
  // name begins like this one's.
  private static final String THOSE =
      """
       FROM {schema}.outledger_inbox i
       WHERE i.consumer > ? || '/' AND i.consumer < ? || '0' AND i.source = ?
         AND i.message_id > lpad(?::bigint::text, 19, '0')
         AND i.message_id <= lpad(?::bigint::text, 19, '0')\
      """;

  private final String count;
  private final String forget;
  private final String subscription;

  HandlersMemory(Tables tables, CursorKey key) {
    this.count = tables.in("SELECT count(*)" + THOSE);
    this.forget = tables.in("DELETE" + THOSE);
    this.subscription = key.subscription();
  }

  /**
   * Says what a move means to the handlers, having first made them forget what was moved over,
   * where that is asked for.
   */
  Moved moved(Connection connection, Moved moved, boolean again) throws SQLException {
    if (!moved.isReplay()) {
      return moved;
    }
    return again
        ? new Moved(moved.from(), moved.to(), 0, forget(connection, moved))
        : new Moved(moved.from(), moved.to(), count(connection, moved), 0);
  }

  private long count(Connection connection, Moved moved) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(count)) {
      bind(statement, moved);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private long forget(Connection connection, Moved moved) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(forget)) {
      bind(statement, moved);
      return statement.executeLargeUpdate();
    }
  }

  private void bind(PreparedStatement statement, Moved moved) throws SQLException {
    statement.setString(1, subscription);
    statement.setString(2, subscription);
    statement.setString(3, Received.LEDGER + subscription);
    statement.setLong(4, moved.to());
    statement.setLong(5, moved.from());
  }
}
