// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs an operator's work in one short transaction over a connection of its own. */
final class Transactional {

  private Transactional() {}

  /**
   * Runs the work and commits; rolls back where it fails.
   *
   * @param doing what it does, for the error's text
   * @throws StoreException where the database failed
   */
  static <T> T run(DataSource dataSource, String doing, Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      boolean done = false;
      try {
        T result = work.on(connection);
        connection.commit();
        done = true;
        return result;
      } finally {
        if (!done) {
          connection.rollback();
        }
        connection.setAutoCommit(autoCommit);
      }
    } catch (SQLException e) {
      throw StoreFailure.of(doing, e);
    }
  }

  /** What is done. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }
}
