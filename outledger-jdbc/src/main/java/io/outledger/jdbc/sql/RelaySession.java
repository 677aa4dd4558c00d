// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.RelayConnection;
import io.outledger.jdbc.spi.TransactionBounds;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection that a relay keeps, in auto-commit mode, set as its statements and transactions need
 * it. Not thread-safe.
 */
public interface RelaySession extends RelayConnection.Session {

  /** Returns the connection. */
  Connection connection();

  /** Runs work in one transaction, which is rolled back where the work fails. */
  default <T> T inTransaction(OperatorTransactions.Work<T> work) throws SQLException {
    return OwnTransactions.on(connection(), TransactionBounds.OF_JDBC, work);
  }
}
