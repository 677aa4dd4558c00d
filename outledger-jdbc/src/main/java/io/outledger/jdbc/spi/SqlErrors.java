// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;

/** A database's one table of error classes. Thread-safe. */
public interface SqlErrors {

  /**
   * Returns the class of a failure. Never fails, and looks at nothing but the exception; one that
   * the database's driver did not make, such as a pool's, has a class too.
   */
  ErrorClass classOf(SQLException failure);

  /** Returns whether JDBC itself names a failure one of the connection, whatever its SQLSTATE. */
  static boolean isOfConnection(SQLException failure) {
    Require.nonNull("failure", failure);
    return failure instanceof SQLTransientConnectionException
        || failure instanceof SQLNonTransientConnectionException
        || failure instanceof SQLRecoverableException;
  }
}
