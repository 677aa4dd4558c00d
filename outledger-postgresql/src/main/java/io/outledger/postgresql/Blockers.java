// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.StringJoiner;

/**
 * Names the transactions that holes wait for: the writers of the ledger, oldest first, and where
 * there is none, whoever holds back the snapshots. Queries of other users are shown only to a role
 * with pg_read_all_stats.
 */
final class Blockers {

  // The server's own lists, each read once.
  private static final String SQL =
      """
      WITH writer AS MATERIALIZED (
        SELECT DISTINCT l.pid, l.virtualtransaction FROM pg_locks l
         WHERE l.granted AND l.locktype = 'relation' AND l.mode = 'RowExclusiveLock'
           AND l.relation = '{schema}.outledger_message'::regclass
           AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())),
      blocker AS (
        SELECT 0 AS class, a.xact_start AS since,
               format('pid %s (%s, %s) writes the ledger in a transaction open for %s, %s: %s',
                      a.pid, coalesce(a.usename, '?'), coalesce(a.application_name, '?'),
                      date_trunc('milliseconds', clock_timestamp() - a.xact_start),
                      coalesce(a.state, 'state hidden'), left(a.query, 200)) AS words
          FROM writer JOIN pg_stat_activity a ON a.pid = writer.pid
        UNION ALL
        SELECT CASE WHEN EXISTS (SELECT FROM writer WHERE pid IS NULL) THEN 0 ELSE 1 END,
               p.prepared,
               format('prepared transaction %L of %s, waiting for %s: COMMIT or ROLLBACK PREPARED',
                      p.gid, p.owner,
                      date_trunc('milliseconds', clock_timestamp() - p.prepared))
          FROM pg_prepared_xacts p
        UNION ALL
        SELECT 1, a.xact_start,
               format('pid %s (%s, %s, database %s) holds a transaction open for %s, %s: %s',
                      a.pid, coalesce(a.usename, '?'), coalesce(a.application_name, '?'),
                      coalesce(a.datname, '?'),
                      date_trunc('milliseconds', clock_timestamp() - a.xact_start),
                      coalesce(a.state, 'state hidden'), left(a.query, 200))
          FROM pg_stat_activity a
         WHERE a.backend_xid IS NOT NULL AND a.pid <> pg_backend_pid()
           AND NOT EXISTS (SELECT FROM writer WHERE writer.pid = a.pid))
      SELECT b.words FROM blocker b
       WHERE b.class = (SELECT min(class) FROM blocker)
       ORDER BY b.since NULLS LAST LIMIT 3\
      """;

  private final String sql;

  Blockers(Tables tables) {
    this.sql = tables.in(SQL);
  }

  String describe(Session session) throws SQLException {
    PreparedStatement statement = session.prepare(sql);
    StringJoiner words = new StringJoiner("; ");
    words.setEmptyValue("no transaction that could be blocking is open now");
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        words.add(rows.getString(1));
      }
    }
    return words.toString();
  }
}
