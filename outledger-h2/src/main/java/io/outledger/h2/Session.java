// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.sql.LedgerNumbers;
import io.outledger.jdbc.sql.LedgerSession;
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
final class Session implements LedgerSession {

  private static final String STARTED = "SELECT s.started FROM {schema}.outledger_server s";
  private static final String START =
      "INSERT INTO {schema}.outledger_server (one, started) VALUES (TRUE, RANDOM_UUID())";

  private final Connection connection;
  private final H2Transactions.Modes before;
  private final ServerIdentity server;
  private final LedgerNumbers numbers = new LedgerNumbers();

  private Session(Connection connection, H2Transactions.Modes before, ServerIdentity server) {
    this.connection = connection;
    this.before = before;
    this.server = server;
  }

  /** Opens one; nothing stays open where that fails. */
  static Session open(DataSource dataSource, Tables tables) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      H2Transactions.Modes before = H2Transactions.set(connection);
      return new Session(connection, before, identity(connection, tables));
    } catch (Throwable e) {
      try {
        connection.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
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
  public Connection connection() {
    return connection;
  }

  @Override
  public ServerIdentity server() {
    return server;
  }

  @Override
  public LedgerNumbers numbers() {
    return numbers;
  }

  @Override
  public void abortAfter(Throwable failure) {
    closeAfter(failure);
  }

  @Override
  public void close() throws SQLException {
    try (Connection closing = connection) {
      before.setAgain(closing);
    }
  }
}
