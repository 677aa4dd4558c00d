// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What a kill meets.
 *
 * @param waiting how many messages wait for their time, which is soon
 * @param isMoving whether some process has the lease to move them
 * @param lease who had it last and until when, as a text
 */
record UnderWay(long waiting, boolean isMoving, String lease) {

  private static final String NOW =
      """
      SELECT (SELECT count(*)
                FROM (SELECT FROM outledger_scheduled s
                       WHERE s.due_at < (SELECT clock_timestamp() + interval '1 hour')
                       ORDER BY s.due_at LIMIT 100000) soon),
             coalesce(m.lease_until > clock_timestamp(), false),
             concat_ws(' ', m.holder, m.lease_until)
        FROM (SELECT 1) one LEFT JOIN outledger_mover m ON true\
      """;

  static UnderWay now(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(NOW)) {
      row.next();
      return new UnderWay(row.getLong(1), row.getBoolean(2), row.getString(3));
    }
  }

  /**
   * Returns whether a lease is as it was, so that its holder has neither prolonged nor ended it.
   */
  boolean isHeldStill(UnderWay later) {
    return isMoving && lease.equals(later.lease());
  }
}
