// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.sql.LedgerNumbers;
import io.outledger.jdbc.sql.LedgerSession;
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
final class Session implements LedgerSession {

  private static final String SERVER = "CONCAT_WS(' ', %s, @@hostname, @@port)";

  // After a restart, positions may be given out again that were rolled back.
  private static final String OPENED = "SELECT %s, CONNECTION_ID(), UNIX_TIMESTAMP() - %s";

  // A connection's number is not given out again before the server restarts.
  private static final String NOW = "SELECT %s, CONNECTION_ID()";

  private final Connection connection;
  private final Tables tables;
  private final OwnTransactions.Undo undo;
  private final Answer opened;
  private final LedgerNumbers numbers = new LedgerNumbers();

  private Session(Connection connection, Tables tables, OwnTransactions.Undo undo, Answer opened) {
    this.connection = connection;
    this.tables = tables;
    this.undo = undo;
    this.opened = opened;
  }

  /** Which server has answered, over which connection, and since when it runs. */
  private record Answer(String server, long connection, long since) {

    boolean isOver(String otherServer, long otherConnection) {
      return server.equals(otherServer) && connection == otherConnection;
    }
  }

  /** Opens one; nothing stays open where that fails. */
  static Session open(DataSource dataSource, Tables tables) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      OwnTransactions.Undo undo = MySqlTransactions.set(connection, tables.product());
      String asked = OPENED.formatted(server(tables), tables.product().uptime());
      Answer opened =
          Sql.in(tables, connection, asked)
              .first(row -> new Answer(row.getString(1), row.getLong(2), row.getLong(3)))
              .orElseThrow();
      return new Session(connection, tables, undo, opened);
    } catch (Throwable e) {
      try {
        connection.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private static String server(Tables tables) {
    return SERVER.formatted(tables.product().server());
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public ServerIdentity server() throws SQLException {
    boolean isTheSame =
        Sql.in(tables, connection, NOW.formatted(server(tables)))
            .first(row -> opened.isOver(row.getString(1), row.getLong(2)))
            .orElse(false);
    String server = opened.server() + ", up since " + opened.since();
    return new ServerIdentity(isTheSame ? server : "another than " + server, tables.schema());
  }

  @Override
  public LedgerNumbers numbers() {
    return numbers;
  }

  @Override
  public void abortAfter(Throwable failure) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
    closeAfter(failure);
  }

  @Override
  public void close() throws SQLException {
    try (Connection closing = connection) {
      undo.on(closing);
    }
  }
}
