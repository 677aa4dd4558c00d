// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.store.KnownMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the ledger is still the one that a cursor has read. Each cursor row names a message
 * that stood in it: the one that was read last, or where the cursor was placed, one beside that
 * place. Where another message stands at its position, or the numbers stand below, the ledger was
 * emptied and its numbers were handed out again, and what has come since at numbers that the cursor
 * has settled would never be published.
 */
final class LedgerMark {

  /** The last number that was drawn. */
  static final String LAST_NUMBER =
      """
      (SELECT CASE WHEN p.is_called THEN p.last_value ELSE p.last_value - 1 END
         FROM {schema}.outledger_message_position p)\
      """;

  // The primary key, one step each; and a table of one row. Where nothing is visible, nothing can
  // ever stand again where retention has removed the last.
  private static final String BESIDE =
      """
      SELECT every.position, every.id FROM (
        (SELECT 1 AS choice, m.position, m.id FROM {schema}.outledger_message m
          WHERE m.position <= %1$s ORDER BY m.position DESC LIMIT 1)
        UNION ALL
        (SELECT 2, m.position, m.id FROM {schema}.outledger_message m
          WHERE m.position > %1$s ORDER BY m.position LIMIT 1)
        UNION ALL
        SELECT 3, r.purged_to, '%2$s'::uuid FROM {schema}.outledger_retention r
         WHERE r.purged_to BETWEEN 1 AND %3$s) every
       ORDER BY every.choice LIMIT 1\
      """;

  // The ledger's primary key, and a table of one row.
  private static final String AT_POSITION =
      """
      SELECT (SELECT m.id FROM {schema}.outledger_message m WHERE m.position = ?), r.purged_to
        FROM {schema}.outledger_retention r\
      """;

  private final String atPosition;
  private final Tables tables;
  private final CursorKey key;

  LedgerMark(Tables tables, CursorKey key) {
    this.atPosition = tables.in(AT_POSITION);
    this.tables = tables;
    this.key = key;
  }

  /** Whether the ledger is certainly not the one of a cursor: one probe of the primary key. */
  static String isReset(String high, String knownPosition, String knownId) {
    return """
    (%s > %s
     OR EXISTS (SELECT FROM {schema}.outledger_message m
                 WHERE m.position = %s AND m.id <> %s))\
    """
        .formatted(high, LAST_NUMBER, knownPosition, knownId);
  }

  /** A query for position and id of the message by which a cursor placed there knows its ledger. */
  static String beside(String high) {
    return BESIDE.formatted(high, KnownMessage.PURGED, LAST_NUMBER);
  }

  /** Binds position and id, or null for both, and returns the index of the next parameter. */
  static int bind(PreparedStatement statement, int at, @Nullable KnownMessage known)
      throws SQLException {
    statement.setObject(at, known == null ? null : (Long) known.position());
    statement.setObject(at + 1, known == null ? null : known.id());
    return at + 2;
  }

  /** Reads position and id. */
  static @Nullable KnownMessage read(ResultSet row, int at) throws SQLException {
    UUID id = row.getObject(at + 1, UUID.class);
    return id == null ? null : new KnownMessage(row.getLong(at), id);
  }

  /**
   * Checks, before a cursor is gone on from, that the message it knows is still there, or was
   * removed by retention. While nobody looked, more may have happened than {@link #isReset} sees.
   *
   * @param known what the cursor's row names; null where nothing was there when it was placed
   * @throws ConfigurationException {@code OUT-007} where it is not
   */
  void check(Session session, @Nullable KnownMessage known) throws SQLException {
    if (known == null) {
      return;
    }
    PreparedStatement statement = session.prepare(atPosition);
    statement.setLong(1, known.position());
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      UUID found = row.getObject(1, UUID.class);
      if (found == null ? row.getLong(2) < known.position() : !found.equals(known.id())) {
        throw isReset();
      }
    }
  }

  private ConfigurationException isReset() {
    return new ConfigurationException(
        ErrorCode.LEDGER_BEHIND_CURSOR,
        """
        %s is not the one that subscription %s has read: a message that it knows is gone, or \
        another one has its number. The ledger was emptied, restored or renumbered, and \
        what has come since may stand at numbers that are settled. Nothing is published until you \
        move the subscription: to EARLIEST, to publish all that is there, or to where it is to go \
        on. Where the numbers themselves stand below the highest position, run SELECT setval first\
        """
            .formatted(tables.in("{schema}.outledger_message"), key));
  }
}
