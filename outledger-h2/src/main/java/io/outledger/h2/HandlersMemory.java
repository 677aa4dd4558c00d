// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * The inbox records of one subscription's transactional handlers in a range that is replayed, or of
 * a subscription that is deleted. The handlers skip recorded positions: right after a crash, but
 * perhaps not what a replay wants.
 */
final class HandlersMemory {

  // Of all consumers, whatever their names: the source says whose positions they are.
  private static final String THOSE =
      " FROM {schema}.outledger_inbox WHERE source = ? AND message_id > ?";

  private final String count;
  private final String forget;
  private final String source;

  HandlersMemory(Tables tables, CursorKey key) {
    this.count = tables.in("SELECT COUNT(*)" + THOSE);
    this.forget = tables.in("DELETE" + THOSE);
    this.source = Received.inboxSourceOf(key.subscription());
  }

  /** Returns how many times one of them would pass over a message above a position, if any. */
  long count(Connection connection, OptionalLong above) throws SQLException {
    return above.isEmpty() ? 0 : bound(connection, count, above.getAsLong()).number();
  }

  /** Makes them forget what is above a position, if any, and returns how much that was. */
  long forget(Connection connection, OptionalLong above) throws SQLException {
    return above.isEmpty() ? 0 : bound(connection, forget, above.getAsLong()).update();
  }

  private Sql bound(Connection connection, String sql, long above) {
    return Sql.of(connection, sql, source, Received.positionId(above));
  }
}
