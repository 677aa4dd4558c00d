// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * Who may still fill a hole: the transactions that own an id and hold a write lock on the ledger.
 */
final class Writers {

  // One read of the lock table. A prepared transaction keeps its id, under its own or another
  // virtual one, and while it changes over, one of its locks may be shown under the old one and the
  // other under the new. Where only the lock on the ledger has changed over, the virtual id's text
  // tells the transaction's; where only the other one has, the ledger has a writer without an id,
  // and then all that are prepared here count. Else one that never wrote it keeps no hole.
  private static final String SQL =
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

  private final String sql;

  Writers(Tables tables) {
    this(tables, "pg_locks");
  }

  /** Makes one that reads another table of locks: a test cannot stop a transaction in between. */
  Writers(Tables tables, String locks) {
    this.sql = tables.in(SQL.formatted(locks));
  }

  Set<Long> now(Session session) throws SQLException {
    PreparedStatement statement = session.prepare(sql);
    Set<Long> ids = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ids.add(whole(rows.getLong(2), rows.getLong(1)));
      }
    }
    return ids;
  }

  /**
   * Returns the transaction id whose lower 32 bits the lock table shows. All that are running lie
   * less than 2³¹ from each other, so it is the nearest such id to one of now.
   */
  static long whole(long lower32Bits, long near) {
    return near + (int) (lower32Bits - near);
  }
}
