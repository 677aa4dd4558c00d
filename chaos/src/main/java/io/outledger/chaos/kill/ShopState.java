// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.kill;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Where the shop stands, by its database.
 *
 * @param owner the incarnation that holds the lease, empty where nobody does
 * @param unsettled how many visible messages the subscription has not settled
 * @param waiting how many positions are open or messages parked
 * @param messages how many messages are visible
 * @param effects how many effects there are
 * @param writing how many transactions of writers are open
 */
record ShopState(
    String owner, long unsettled, long waiting, long messages, long effects, long writing) {

  // The newest cursor row by its primary key; then the ledger's newest part by its own.
  private static final String SQL =
      """
      WITH c AS (
        SELECT incarnation, lease_until, high, open_first, open_last
          FROM outledger_cursor ORDER BY subscription DESC, partition DESC, n DESC LIMIT 1),
      open AS (
        SELECT first, last FROM c, unnest(c.open_first, c.open_last) AS o (first, last)
        UNION ALL SELECT first, last FROM outledger_hole)
      SELECT (SELECT CASE WHEN lease_until IS NULL THEN '' ELSE incarnation::text END FROM c),
             (SELECT count(*) FROM outledger_message m
               WHERE m.position > coalesce((SELECT high FROM c), 0)
                  OR EXISTS (SELECT FROM open o WHERE m.position BETWEEN o.first AND o.last)),
             (SELECT count(*) FROM open) + (SELECT count(*) FROM outledger_parked),
             (SELECT count(*) FROM outledger_message),
             (SELECT count(*) FROM effect),
             (SELECT count(*) FROM pg_stat_activity
               WHERE application_name LIKE 'writer%' AND xact_start IS NOT NULL)\
      """;

  static ShopState of(Shop shop) throws SQLException {
    try (Connection connection = shop.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SQL)) {
      row.next();
      String owner = row.getString(1);
      return new ShopState(
          owner == null ? "" : owner,
          row.getLong(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6));
    }
  }

  /** Returns how many messages have been published and have no effect yet. */
  long withoutEffect() {
    return Math.max(0, messages - unsettled - effects);
  }

  boolean isDrained() {
    return unsettled == 0 && waiting == 0 && effects >= messages;
  }
}
