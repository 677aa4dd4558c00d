// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.chaos.roles.RoleSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Where the shop stands, by its database. Looking costs the same however long the ledger is.
 *
 * @param owner the incarnation that holds the lease, empty where nobody does
 * @param unsettled how many visible messages the subscription has not settled
 * @param waiting how many ranges of positions are open, and messages parked that are no dead
 *     letters
 * @param withoutEffect how many messages are settled and have no effect yet, among the newest
 * @param writing how many transactions of writers are open
 * @param high the highest position that was read
 * @param settled how many positions up to that one are settled, holes among them
 */
public record ShopState(
    String owner,
    long unsettled,
    long waiting,
    long withoutEffect,
    long writing,
    long high,
    long settled) {

  // The newest cursor row by its primary key; then parts of the ledger by its own, as many as there
  // are open ranges, and its newest part. Effects by the index on their message.
  private static final String SQL =
      """
      WITH c AS (
        SELECT incarnation, lease_until, coalesce(high, 0) AS high, open_first, open_last
          FROM outledger_cursor WHERE subscription = '%1$s'
         ORDER BY partition_no DESC, n DESC LIMIT 1),
      open AS (
        SELECT first, last FROM c, unnest(c.open_first, c.open_last) AS o (first, last)
        UNION ALL SELECT first_position, last_position FROM outledger_hole
                   WHERE subscription = '%1$s'),
      above AS (
        SELECT count(*) AS n FROM outledger_message
         WHERE position > coalesce((SELECT high FROM c), 0)),
      below AS (
        SELECT coalesce(sum(x.n), 0) AS n FROM open o, LATERAL (
          SELECT count(*) AS n FROM outledger_message
           WHERE position BETWEEN o.first AND o.last) x)
      SELECT (SELECT CASE WHEN lease_until IS NULL THEN '' ELSE incarnation::text END FROM c),
             (SELECT n FROM above) + (SELECT n FROM below),
             (SELECT count(*) FROM open)
               + (SELECT count(*) FROM outledger_parked
                   WHERE subscription = '%1$s' AND state <> 'dead'),
             (SELECT count(*) FROM outledger_message m, c
               WHERE m.position > c.high - %2$d AND m.position <= c.high
                 AND NOT EXISTS (SELECT FROM dead d WHERE d.id = m.id)
                 AND NOT EXISTS (SELECT FROM effect e WHERE e.message_id = m.id))
               - (SELECT n FROM below),
             (SELECT count(*) FROM pg_stat_activity
               WHERE application_name LIKE 'writer%%' AND xact_start IS NOT NULL),
             (SELECT high FROM c),
             (SELECT high FROM c)
               - (SELECT coalesce(sum(last - first + 1), 0) FROM open)\
      """
          .formatted(RoleSettings.SUBSCRIPTION, 20_000);

  /** Looks. */
  public static ShopState of(Shop shop) throws SQLException {
    try (Connection connection = shop.connect()) {
      return of(connection);
    }
  }

  /** Looks over a connection. */
  public static ShopState of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SQL)) {
      row.next();
      String owner = row.getString(1);
      return new ShopState(
          owner == null ? "" : owner,
          row.getLong(2),
          row.getLong(3),
          Math.max(0, row.getLong(4)),
          row.getLong(5),
          row.getLong(6),
          row.getLong(7));
    }
  }

  /** Says whether nothing waits, as far as can be seen without counting everything. */
  public boolean isDrained() {
    return unsettled == 0 && waiting == 0 && withoutEffect == 0;
  }

  /**
   * Says whether each message has its effect, which looks at everything. Dead letters are left out,
   * for they may never have one.
   */
  public static boolean hasAllEffects(Shop shop) throws SQLException {
    try (Connection connection = shop.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT NOT EXISTS (
                  SELECT FROM (SELECT id FROM outledger_message UNION ALL SELECT id FROM purged) m
                   WHERE NOT EXISTS (SELECT FROM dead d WHERE d.id = m.id)
                     AND NOT EXISTS (SELECT FROM effect e WHERE e.message_id = m.id))\
                """)) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
