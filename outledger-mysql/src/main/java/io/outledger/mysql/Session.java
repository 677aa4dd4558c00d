// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.sql.KeptSession;
import io.outledger.jdbc.sql.OwnTransactions;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.ServerIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A connection that a relay keeps, in auto-commit mode. Who answers over it is asked again and
 * again: a proxy may switch servers unseen. Not thread-safe.
 */
final class Session extends KeptSession {

  // What a server keeps across restarts. MySQL has one of them, MariaDB the other.
  private static final String IDS =
      "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_uid', 'server_uuid')";

  // A MariaDB of before 10.6.19 has neither; this differs between servers that replicate.
  private static final String ID_OF_OLDER = "server_id";

  private static final String SERVER = "CONCAT_WS(' ', @@%s, @@hostname, @@port)";

  // After a restart, positions may be given out again that were rolled back.
  private static final String OPENED = "SELECT %s, CONNECTION_ID(), UNIX_TIMESTAMP() - %s";

  // A connection's number is not given out again before the server restarts.
  private static final String NOW = "SELECT %s, CONNECTION_ID()";

  private final Tables tables;
  private final String now;
  private final Answer opened;

  private Session(Connection connection, Tables tables, OwnTransactions.Undo undo)
      throws SQLException {
    super(connection, undo);
    this.tables = tables;
    String server = server(connection, tables);
    this.now = NOW.formatted(server);
    this.opened =
        Sql.in(tables, connection, OPENED.formatted(server, tables.product().uptime()))
            .first(row -> new Answer(row.getString(1), row.getLong(2), row.getLong(3)))
            .orElseThrow();
  }

  /** Which server has answered, over which connection, and since when it runs. */
  private record Answer(String server, long connection, long since) {

    boolean isOver(String otherServer, long otherConnection) {
      return server.equals(otherServer) && connection == otherConnection;
    }
  }

  /** Opens one; nothing stays open where that fails. */
  static Session open(DataSource dataSource, Tables tables) throws SQLException {
    return open(
        dataSource,
        connection ->
            new Session(connection, tables, MySqlTransactions.set(connection, tables.product())));
  }

  private static String server(Connection connection, Tables tables) throws SQLException {
    return SERVER.formatted(
        Sql.in(tables, connection, IDS).first(row -> row.getString(1)).orElse(ID_OF_OLDER));
  }

  @Override
  public ServerIdentity server() throws SQLException {
    boolean isTheSame =
        Sql.in(tables, connection(), now)
            .first(row -> opened.isOver(row.getString(1), row.getLong(2)))
            .orElse(false);
    String server = opened.server() + ", up since " + opened.since();
    return new ServerIdentity(isTheSame ? server : "another than " + server, tables.schema());
  }

  @Override
  public void abortAfter(Throwable failure) {
    try {
      connection().abort(Runnable::run);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
    closeAfter(failure);
  }
}
