// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * The inbox records of one subscription's transactional handlers in a range that is replayed, or of
 * a subscription that is deleted. The handlers skip recorded messages: right after a crash, but
 * perhaps not what a replay wants. Of a message that the ledger does not have any more they go on
 * remembering: it may be parked, or at work, and must not take effect twice.
 */
final class HandlersMemory {

  // Of all consumers, whatever their names: the source says whose positions they are.
  private static final String ALL = " FROM {schema}.outledger_inbox i WHERE i.source = ?";

  // See Received.ledgerId. One probe of the ledger for each.
  private static final String REPLAYED =
      ALL
          + """
             AND i.message_id >= LPAD(CAST(? AS VARCHAR), 19, '0')
             AND EXISTS (SELECT 1 FROM {schema}.outledger_message m
                          WHERE m.position = CASE WHEN REGEXP_LIKE(i.message_id, '^0[0-9]{18}/')
                                                  THEN CAST(LEFT(i.message_id, 19) AS BIGINT) END
                            AND CAST(m.id AS VARCHAR) = SUBSTRING(i.message_id FROM 21))\
          """;

  private final String count;
  private final String forget;
  private final String forgetAll;
  private final String source;

  HandlersMemory(Tables tables, CursorKey key) {
    this.count = tables.in("SELECT COUNT(*)" + REPLAYED);
    this.forget = tables.in("DELETE" + REPLAYED);
    this.forgetAll = tables.in("DELETE" + ALL);
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

  /** Makes them forget everything. */
  void forgetAll(Connection connection) throws SQLException {
    Sql.of(connection, forgetAll, source).update();
  }

  private Sql bound(Connection connection, String sql, long above) {
    return Sql.of(connection, sql, source, above + 1);
  }
}
