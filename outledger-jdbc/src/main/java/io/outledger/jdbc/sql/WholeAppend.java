// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * An append that takes several statements, of which each could fail: on most databases that ends no
 * transaction, and a caller who catches the exception and commits would publish a part of what it
 * appended. So it is framed by a savepoint. One statement is whole by itself, and costs nothing
 * more.
 */
public final class WholeAppend {

  private static final String NAME = "outledger_append";

  private WholeAppend() {}

  /**
   * A statement that inserts messages.
   *
   * @param <T> what it inserts
   */
  @FunctionalInterface
  public interface Insert<T> {

    /**
     * Executes it.
     *
     * @throws SQLException if the database failed, or refused it
     */
    void of(T part) throws SQLException;
  }

  /**
   * Inserts all parts, in order, or none.
   *
   * @param transaction the caller's
   * @param parts one for each statement
   * @param insert executes one of them
   * @throws SQLException what the first failure was: nothing of the parts is left in the
   *     transaction
   */
  public static <T> void of(Connection transaction, List<T> parts, Insert<T> insert)
      throws SQLException {
    if (parts.size() == 1) {
      insert.of(parts.get(0));
      return;
    }
    execute(transaction, "SAVEPOINT " + NAME);
    try {
      for (T part : parts) {
        insert.of(part);
      }
    } catch (Throwable failure) {
      undo(transaction, failure);
      throw failure;
    }
  }

  /** Where the failure has ended the transaction, there is no savepoint, and nothing to undo. */
  private static void undo(Connection transaction, Throwable failure) {
    try {
      execute(transaction, "ROLLBACK TO SAVEPOINT " + NAME);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
