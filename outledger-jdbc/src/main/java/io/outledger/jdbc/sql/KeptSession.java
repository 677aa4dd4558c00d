// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A connection that a relay keeps, and that is set back when it is closed. A database's own session
 * says who answers over it. Not thread-safe.
 */
public abstract class KeptSession implements LedgerSession {

  private final Connection connection;
  private final OwnTransactions.Undo undo;
  private final LedgerNumbers numbers = new LedgerNumbers();

  /**
   * For the database's own.
   *
   * @param connection in auto-commit mode, set as a relay's statements and transactions need it
   * @param undo sets it as it was
   */
  protected KeptSession(Connection connection, OwnTransactions.Undo undo) {
    this.connection = connection;
    this.undo = undo;
  }

  /**
   * What makes a session of a connection.
   *
   * @param <S> the session
   */
  @FunctionalInterface
  protected interface Opening<S> {

    /**
     * Makes it.
     *
     * @throws SQLException if the database failed
     */
    S on(Connection connection) throws SQLException;
  }

  /** Opens one; nothing stays open where that fails. */
  protected static <S> S open(DataSource dataSource, Opening<S> opening) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      return opening.on(connection);
    } catch (Throwable e) {
      try {
        connection.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  @Override
  public final Connection connection() {
    return connection;
  }

  @Override
  public final LedgerNumbers numbers() {
    return numbers;
  }

  @Override
  public void abortAfter(Throwable failure) {
    closeAfter(failure);
  }

  @Override
  public final void close() throws SQLException {
    try (Connection closing = connection) {
      undo.on(closing);
    }
  }
}
