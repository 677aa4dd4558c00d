// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The one statement by which a relay writes a cursor row, in its two variants. Each inserts a row
 * numbered one above the newest, if a condition on the newest row holds. Two concurrent writers
 * want the same number, so the second fails or inserts nothing: that is the fence. See {@link
 * io.outledger.jdbc.sql.CursorRows}, by which others write it.
 *
 * <p>A writer that ends another's ownership marks its row {@code taken}. Such rows stay until they
 * are older than the retention, and numbering continues even after a deletion, so an owner that was
 * frozen in a save finds its number taken. A writer that is not the owner checks once more that its
 * row is the newest, before it commits: its statement may have hung while the owner kept saving and
 * thinned its own rows.
 */
enum CursorWrite {
  /** By the owner: the newest row is still its own, and the server is the one it read from. */
  SAVE(
      "false, false, ?::bigint, coalesce(?::bigint, newest.known_position),"
          + " coalesce(?::uuid, newest.known_id), ?::bigint[], ?::bigint[], ?::text",
      "newest.n = ? AND newest.incarnation = ? AND " + ServerProbe.IS_THE_SAME,
      "pg_current_xact_id()::text::bigint, " + ServerProbe.COLUMNS),
  /** By a successor: the newest row is the one that it has looked at. */
  TAKE(
      "true, false, newest.high, newest.known_position, newest.known_id, newest.open_first,"
          + " newest.open_last, NULL",
      "newest.n = ? AND newest.incarnation = ?",
      "n, " + ServerProbe.COLUMNS);

  // One step back along the primary key, and one insert into it.
  private static final String NEXT =
      """
      INSERT INTO {schema}.outledger_cursor
             (subscription, partition_no, n, incarnation, lease_millis, lease_until, taken, gone,
              high, known_position, known_id, open_first, open_last, lacking)
      SELECT given.subscription, given.partition_no, coalesce(newest.n, 0) + 1,
             coalesce(given.incarnation, gen_random_uuid()),
             CASE WHEN given.millis > 0 THEN given.millis
                  ELSE coalesce(newest.lease_millis, 0) END,
             CASE WHEN given.millis > 0
                  THEN clock_timestamp() + given.millis * interval '1 millisecond' END,
             %s
        FROM (SELECT ?::text AS subscription, ?::int AS partition_no, ?::uuid AS incarnation,
                     ?::bigint AS millis) given
        LEFT JOIN LATERAL (
              SELECT c.n, c.incarnation, c.gone, c.lease_millis, c.lease_until, c.high,
                     c.known_position, c.known_id, c.open_first, c.open_last
                FROM {schema}.outledger_cursor c
               WHERE c.subscription = given.subscription AND c.partition_no = given.partition_no
               ORDER BY c.n DESC LIMIT 1) newest ON true
       WHERE %s
      RETURNING %s\
      """;

  private final String row;
  private final String fence;
  private final String returning;

  CursorWrite(String row, String fence, String returning) {
    this.row = row;
    this.fence = fence;
    this.returning = returning;
  }

  String in(Tables tables) {
    return tables.in(NEXT.formatted(row, fence, returning));
  }

  /**
   * Binds whose row it is, after the row's own values, and returns the index of the fence's first
   * parameter.
   *
   * @param incarnation the owner's; null for a new one that nobody has
   * @param lease how long the lease is to last from now; zero gives it back
   */
  static int bind(
      PreparedStatement statement,
      int from,
      CursorKey key,
      @Nullable UUID incarnation,
      Duration lease)
      throws SQLException {
    int at = key.bind(statement, from);
    statement.setObject(at++, incarnation);
    statement.setLong(at++, lease.toMillis());
    return at;
  }
}
