// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.sql.Connection;
import java.sql.SQLException;

/** What a transaction of the work is asked at its beginning and before its end. Thread-safe. */
public interface TransactionCheck {

  /**
   * Makes sure that a commit which returns has committed. Some databases answer the commit of a
   * transaction in which a statement has failed by rolling it back, and their drivers take that for
   * success. It costs a round trip only where nothing else tells.
   *
   * @param connection the connection of a transaction that is about to commit
   * @throws SQLException if the commit would roll back, or the database failed; of class {@link
   *     ErrorClass#TRANSACTION_FAILED} where a statement had failed before
   */
  void requireIntact(Connection connection) throws SQLException;

  /**
   * Makes sure that what a transaction of ours commits is all that was done in it: some databases
   * roll a transaction back on the way, and begin another one without a word. For one that {@link
   * #begun} has prepared, once, right before its commit.
   *
   * @param connection the connection of a transaction that is about to commit
   * @throws SQLException as {@link #requireIntact} does
   */
  default void requireWhole(Connection connection) throws SQLException {
    requireIntact(Require.nonNull("connection", connection));
  }

  /**
   * Prepares a transaction of ours that has just begun for the work: where the database lets one
   * transaction write at a time, it waits for its turn here, before it has read anything. Most
   * databases need nothing.
   *
   * @param connection the connection of a transaction in which nothing was done yet
   * @throws SQLException if the database failed or gave up waiting
   */
  default void begun(Connection connection) throws SQLException {
    Require.nonNull("connection", connection);
  }

  /**
   * Sets a connection right on which a transaction of ours could not begin, or {@link #begun} has
   * failed, so that its pool may lend it again. Most drivers need nothing.
   *
   * @param connection a connection over which nothing was done
   * @throws SQLException if the database failed
   */
  default void notBegun(Connection connection) throws SQLException {
    Require.nonNull("connection", connection);
  }
}
