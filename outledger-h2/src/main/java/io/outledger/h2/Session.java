// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.sql.KeptSession;
import io.outledger.jdbc.sql.OwnTransactions;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.ServerIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * A connection that a relay keeps, in auto-commit mode, with the identity of the database that
 * answers over it. A connection ends when its database closes, so the identity never changes. Not
 * thread-safe.
 */
final class Session extends KeptSession {

  private static final String STARTED = "SELECT s.started FROM {schema}.outledger_server s";
  private static final String START =
      "INSERT INTO {schema}.outledger_server (one, started) VALUES (TRUE, RANDOM_UUID())";

  private final ServerIdentity server;

  private Session(Connection connection, OwnTransactions.Undo undo, ServerIdentity server) {
    super(connection, undo);
    this.server = server;
  }

  /** Opens one; nothing stays open where that fails. */
  static Session open(DataSource dataSource, Tables tables) throws SQLException {
    return open(dataSource, connection -> of(connection, tables));
  }

  private static Session of(Connection connection, Tables tables) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
    H2Transactions.Modes before = H2Transactions.set(connection);
    return new Session(connection, before::setAgain, identity(connection, tables));
  }

  /** The row is not persistent: whoever finds none is the first since the database was opened. */
  private static ServerIdentity identity(Connection connection, Tables tables) throws SQLException {
    for (int attempt = 0; ; attempt++) {
      List<String> started = Sql.of(connection, tables.in(STARTED)).rows(row -> row.getString(1));
      if (!started.isEmpty()) {
        return new ServerIdentity(started.get(0), tables.schema());
      }
      try {
        Sql.of(connection, tables.in(START)).update();
      } catch (SQLException e) {
        if (!H2Errors.isDuplicate(e) || attempt > 0) {
          throw e;
        }
      }
    }
  }

  @Override
  public ServerIdentity server() {
    return server;
  }
}
