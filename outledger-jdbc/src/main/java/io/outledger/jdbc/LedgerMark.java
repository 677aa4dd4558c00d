// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the ledger is still the one that a cursor has read. Each cursor row holds the id of
 * the message at its {@code high}: where another message stands there, or the numbers stand below,
 * the ledger was emptied and its numbers were handed out again, and what has come since at numbers
 * that the cursor has settled would never be published.
 */
final class LedgerMark {

  /** In a save: the id of the message at the row's new high, which it has just read. */
  static final String OF_HIGH =
      """
      CASE WHEN newest.high = ?::bigint THEN newest.high_id
           ELSE (SELECT m.id FROM {schema}.outledger_message m WHERE m.position = ?::bigint) END\
      """;

  /** Of a cursor row {@code c}: whether the ledger is certainly not the one it was made from. */
  static final String IS_RESET =
      """
      (c.high > (SELECT CASE WHEN p.is_called THEN p.last_value ELSE p.last_value - 1 END
                   FROM {schema}.outledger_message_position p)
       OR EXISTS (SELECT FROM {schema}.outledger_message m
                   WHERE m.position = c.high AND m.id <> c.high_id))\
      """;

  // The ledger's primary key, and a table of one row.
  private static final String AT_HIGH =
      """
      SELECT (SELECT m.id FROM {schema}.outledger_message m WHERE m.position = ?), r.purged_to
        FROM {schema}.outledger_retention r\
      """;

  private final String atHigh;
  private final Tables tables;
  private final CursorKey key;

  LedgerMark(Tables tables, CursorKey key) {
    this.atHigh = tables.in(AT_HIGH);
    this.tables = tables;
    this.key = key;
  }

  /**
   * Checks, before a cursor is gone on from, that the message at its high is still there, or was
   * removed by retention. While nobody looked, more may have happened than {@link #IS_RESET} sees.
   *
   * @param id the id that the cursor's row holds; null where it has read no message yet
   * @throws ConfigurationException {@code OUT-007} where it is not
   */
  void check(Session session, long high, @Nullable UUID id) throws SQLException {
    if (id == null) {
      return;
    }
    PreparedStatement statement = session.prepare(atHigh);
    statement.setLong(1, high);
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      UUID found = row.getObject(1, UUID.class);
      if (found == null ? row.getLong(2) < high : !found.equals(id)) {
        throw isReset();
      }
    }
  }

  ConfigurationException isReset() {
    return new ConfigurationException(
        ErrorCode.LEDGER_BEHIND_CURSOR,
        """
        %s is not the one that subscription %s has read: the message that it has read last is \
        gone, or another one has its number. The ledger was emptied, restored or renumbered, and \
        what has come since may stand at numbers that are settled. Nothing is published until you \
        move the subscription: to EARLIEST, to publish all that is there, or to where it is to go \
        on. Where the numbers themselves stand below the highest position, run SELECT setval first\
        """
            .formatted(tables.in("{schema}.outledger_message"), key));
  }
}
