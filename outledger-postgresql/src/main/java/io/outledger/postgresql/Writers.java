// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The writers that may still fill a hole: transactions that own an id and hold a write lock on the
 * ledger.
 */
final class Writers {

  // One read of the lock table. A prepared transaction keeps its id, under its own or another
  // virtual one, and while it changes over, one of its locks may be shown under the old one and the
  // other under the new. Where only the lock on the ledger has changed over, the virtual id's text
  // tells the transaction's; where only the other one has, the ledger has a writer without an id,
  // and then all that are prepared here count. Else one that never wrote it keeps no hole.
  private static final String NOW =
      """
      WITH held AS MATERIALIZED (
        SELECT l.locktype, l.database, l.relation, l.virtualtransaction, l.transactionid, l.mode
          FROM %s l WHERE l.granted AND l.locktype IN ('relation', 'transactionid')),
      writer AS (
        SELECT held.virtualtransaction FROM held
         WHERE held.locktype = 'relation' AND held.mode = 'RowExclusiveLock'
           AND held.relation = '{schema}.outledger_message'::regclass
           AND held.database = (SELECT d.oid FROM pg_database d
                                 WHERE d.datname = current_database()))
      SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
             held.transactionid::text::bigint
        FROM writer JOIN held ON held.virtualtransaction = writer.virtualtransaction
       WHERE held.locktype = 'transactionid' AND held.mode = 'ExclusiveLock'
      UNION
      SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
             split_part(writer.virtualtransaction, '/', 2)::bigint
        FROM writer WHERE writer.virtualtransaction LIKE '-1/%%'
      UNION
      SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
             held.transactionid::text::bigint
        FROM held
       WHERE held.locktype = 'transactionid' AND held.mode = 'ExclusiveLock'
         AND held.virtualtransaction LIKE '-1/%%'
         AND NOT EXISTS (SELECT FROM pg_prepared_xacts p
                          WHERE p.transaction = held.transactionid
                            AND p.database <> current_database())
         AND EXISTS (SELECT FROM writer
                      WHERE NOT EXISTS (SELECT FROM held id
                                         WHERE id.virtualtransaction = writer.virtualtransaction
                                           AND id.locktype = 'transactionid'
                                           AND id.mode = 'ExclusiveLock'))\
      """;

  // The server's own lists, each read once.
  private static final String BLOCKERS =
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

  private final String now;
  private final String blockers;

  Writers(Tables tables) {
    this(tables, "pg_locks");
  }

  /** Makes one that reads another table of locks: a test cannot stop a transaction in between. */
  Writers(Tables tables, String locks) {
    this.now = tables.in(NOW.formatted(locks));
    this.blockers = tables.in(BLOCKERS);
  }

  Set<Long> now(Session session) throws SQLException {
    PreparedStatement statement = session.prepare(now);
    Set<Long> ids = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ids.add(whole(rows.getLong(2), rows.getLong(1)));
      }
    }
    return ids;
  }

  /**
   * Names the transactions that holes wait for: the writers of the ledger, oldest first, and where
   * there is none, whoever holds back the snapshots. Queries of other users are shown only to a
   * role with pg_read_all_stats.
   */
  String describeBlockers(Session session) throws SQLException {
    return words(session.prepare(blockers));
  }

  /** The same, over a connection that is not a relay's. */
  String describeBlockers(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(blockers)) {
      return words(statement);
    }
  }

  private static String words(PreparedStatement statement) throws SQLException {
    StringJoiner words = new StringJoiner("; ");
    words.setEmptyValue("found no open transaction that could block");
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        words.add(rows.getString(1));
      }
    }
    return words.toString();
  }

  /**
   * Returns the transaction id whose lower 32 bits the lock table shows. All that are running lie
   * less than 2³¹ from each other, so it is the nearest such id to one of now.
   */
  static long whole(long lower32Bits, long near) {
    return near + (int) (lower32Bits - near);
  }
}
