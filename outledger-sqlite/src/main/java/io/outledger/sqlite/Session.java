// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.MissingRow;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.sql.KeptSession;
import io.outledger.jdbc.sql.OwnTransactions;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.ServerIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection that a relay keeps, in auto-commit mode, with the identity of the file behind it:
 * its device and inode, and a UUID that was made with the tables. Not thread-safe.
 */
final class Session extends KeptSession {

  private static final String LEDGER_ID =
      "SELECT lower(hex(s.ledger_id)) FROM {schema}.outledger_server s";

  private final @Nullable Path file;
  private final ServerIdentity server;

  private Session(Connection connection, OwnTransactions.Undo undo, Tables tables)
      throws SQLException {
    super(connection, undo);
    this.file = SqliteSettings.file(connection);
    String ledger =
        Sql.in(tables, connection, LEDGER_ID)
            .first(row -> row.getString(1))
            .orElseThrow(() -> MissingRow.of("outledger_server"));
    this.server = new ServerIdentity(fileKey(), ledger);
  }

  /** Opens one; nothing stays open where that fails. */
  static Session open(DataSource dataSource, Tables tables) throws SQLException {
    return open(
        dataSource,
        connection ->
            new Session(connection, SqliteTransactions.set(connection)::setAgain, tables));
  }

  /** Returns device and inode; where the system has none, whether the file is there. */
  private String fileKey() throws SQLException {
    try {
      return file == null
          ? ""
          : "" + Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      throw new SQLNonTransientConnectionException("the file is gone: " + e.getMessage(), e);
    }
  }

  @Override
  public <T> T inTransaction(OperatorTransactions.Work<T> work) throws SQLException {
    return OwnTransactions.on(connection(), SqliteBounds.WRITING, work);
  }

  /**
   * Returns who answers.
   *
   * @throws SQLException of a lost connection if another file has this one's name: this connection
   *     goes on with what is deleted
   */
  @Override
  public ServerIdentity server() throws SQLException {
    if (!server.server().equals(fileKey())) {
      throw new SQLNonTransientConnectionException("another file was put in the place of " + file);
    }
    return server;
  }
}
