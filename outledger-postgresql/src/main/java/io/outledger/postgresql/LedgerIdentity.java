// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.KnownMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the ledger is still the one that was read and purged: it may have been emptied and
 * its numbers handed out again.
 *
 * <p>Each cursor row names a message that stood in the ledger: the one that was read last, or where
 * the cursor was placed, one beside that place. Where that message is gone and retention has not
 * removed it, or the numbers stand below, what has come since at numbers that the cursor has
 * settled would never be published.
 *
 * <p>How far retention has gone stands in a row that outlives the ledger. Where the ledger is a new
 * one, nothing counts as purged, so that whoever is placed reads from the first number, open
 * writers of low numbers included.
 */
final class LedgerIdentity {

  /** The last number that was drawn. */
  static final String LAST_NUMBER =
      """
      (SELECT CASE WHEN p.is_called THEN p.last_value ELSE p.last_value - 1 END
         FROM {schema}.outledger_message_position p)\
      """;

  /**
   * Of the row {@code r}: how far retention has gone in the ledger that is there. One step along
   * the primary key. A message that was committed late, below a place to which every subscription
   * had skipped, looks like a new ledger: then whoever reads stops and says so.
   */
  static final String PURGED_TO =
      """
      CASE WHEN r.purged_to > %s
             OR r.purged_to >= (SELECT min(m.position) FROM {schema}.outledger_message m)
           THEN 0 ELSE r.purged_to END\
      """
          .formatted(LAST_NUMBER);

  // The primary key, one step each; and a table of one row. Where no message is visible, the last
  // position that was purged serves: none can appear there again.
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

  private static final String IS_GONE =
      "SELECT "
          + isGone("known.position", "known.id")
          + " FROM (SELECT ?::bigint AS position, ?::uuid AS id) known";

  private final String isGone;
  private final Tables tables;
  private final CursorKey key;

  LedgerIdentity(Tables tables, CursorKey key) {
    this.isGone = tables.in(IS_GONE);
    this.tables = tables;
    this.key = key;
  }

  /** Whether the ledger is not the one of a cursor; columns, or null where it knows no message. */
  static String isReset(String high, String knownPosition, String knownId) {
    return "(%s > %s OR %s)".formatted(high, LAST_NUMBER, isGone(knownPosition, knownId));
  }

  // One probe of the primary key as long as it is there, and one step along it where it is not.
  private static String isGone(String position, String id) {
    return """
    CASE WHEN %1$s IS NULL THEN false
         WHEN EXISTS (SELECT FROM {schema}.outledger_message m
                       WHERE m.position = %1$s AND m.id = %2$s) THEN false
         ELSE %1$s > (SELECT %3$s FROM {schema}.outledger_retention r) END\
    """
        .formatted(position, id, PURGED_TO);
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
   * removed by retention.
   *
   * @param known what the cursor's row names; null where nothing was there when it was placed
   * @throws ConfigurationException {@code OUT-007} if it is not
   */
  void check(Session session, @Nullable KnownMessage known) throws SQLException {
    PreparedStatement statement = session.prepare(isGone);
    bind(statement, 1, known);
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      if (row.getBoolean(1)) {
        throw isReset();
      }
    }
  }

  /** Returns the error of a subscription that has read another ledger. */
  ConfigurationException isReset() {
    return new ConfigurationException(
        ErrorCode.LEDGER_BEHIND_CURSOR,
        """
        %s is not the ledger that subscription %s has read: the last message that it read is gone, \
        or another message has its position. The ledger was emptied, restored or renumbered, and \
        new messages may have positions that count as published. The relay publishes nothing until \
        you move the subscription to EARLIEST, to publish everything that is there, or skip to \
        the position where it should continue. What is parked of the earlier ledger stays parked. \
        If the sequence is below the highest position, run SELECT setval first\
        """
            .formatted(tables.in("{schema}.outledger_message"), key));
  }
}
