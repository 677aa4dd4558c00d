// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.store.ServerIdentity;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The server that answers a statement, and its ledger, as two columns that every poll and save
 * returns.
 */
final class ServerProbe {

  /** When the server started, and the timeline that it writes, or that it writes none. */
  static final String SERVER =
      """
      ((extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint || '/'
       || CASE WHEN pg_is_in_recovery() THEN 'in recovery'
               ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END)\
      """;

  /**
   * The file of the ledger's numbers. It is another one after {@code TRUNCATE … RESTART IDENTITY},
   * and after the sequence was altered: numbers may have been handed out again, or out of order,
   * and whoever has read the ledger before must take its lease again, which checks it.
   */
  static final String LEDGER =
      "pg_relation_filenode('{schema}.outledger_message_position'::regclass)::text";

  /** Both, one after the other. */
  static final String COLUMNS = SERVER + ", " + LEDGER;

  /** Whether the one that answers is the one that is bound. */
  static final String IS_THE_SAME = SERVER + " = ? AND " + LEDGER + " = ?";

  private ServerProbe() {}

  /** Binds the server that must answer; takes two parameters. */
  static void bind(PreparedStatement statement, int at, ServerIdentity server) throws SQLException {
    statement.setString(at, server.server());
    statement.setString(at + 1, server.ledger());
  }

  static ServerIdentity read(ResultSet row, int server, int ledger) throws SQLException {
    return new ServerIdentity(row.getString(server), row.getString(ledger));
  }
}
