// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.store.ServerIdentity;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;

/**
 * The server that answers a statement, and its ledger, as two columns that every poll and save
 * returns.
 */
final class ServerProbe {

  /** When the server started. */
  static final String STARTED = "pg_postmaster_start_time()";

  /**
   * The timeline that the server writes, or that it writes none, and the file of the ledger's
   * numbers. That file is another one after {@code TRUNCATE … RESTART IDENTITY}, and after the
   * sequence was altered: numbers may have been handed out again, or out of order, and whoever has
   * read the ledger before must take its lease again, which checks it.
   */
  static final String TIMELINE =
      """
      CASE WHEN pg_is_in_recovery() THEN 'in recovery'
           ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8)
                || '/' || pg_relation_filenode('{schema}.outledger_message_position'::regclass)
      END\
      """;

  /** Both, one after the other. */
  static final String COLUMNS = STARTED + ", " + TIMELINE;

  /** Whether the one that answers is the one that is bound. */
  static final String IS_THE_SAME = STARTED + " = ?::text::timestamptz AND " + TIMELINE + " = ?";

  /** Between both in the token; an instant has none. */
  private static final char SEPARATOR = ' ';

  private ServerProbe() {}

  /** Binds the server that must answer; takes two parameters. */
  static void bind(PreparedStatement statement, int at, ServerIdentity server) throws SQLException {
    String token = server.token();
    int end = token.indexOf(SEPARATOR);
    statement.setString(at, token.substring(0, end));
    statement.setString(at + 1, token.substring(end + 1));
  }

  static ServerIdentity read(ResultSet row, int started, int timeline) throws SQLException {
    OffsetDateTime time = row.getObject(started, OffsetDateTime.class);
    return new ServerIdentity(time.toInstant().toString() + SEPARATOR + row.getString(timeline));
  }
}
