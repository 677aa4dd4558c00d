// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.sql.Connection;
import java.sql.SQLException;

/** Tells whether a transaction can still commit. Thread-safe. */
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
}
