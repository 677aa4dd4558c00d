// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * What PostgreSQL's own driver knows of a transaction, which the server tells with each answer. The
 * driver need not be there: a connection may be another one's.
 */
final class DriverState {

  private static final boolean IS_PRESENT = isPresent();

  private DriverState() {}

  /** Says whether the driver knows that no statement of the transaction has failed. */
  static boolean isKnownAlive(Connection connection) throws SQLException {
    return IS_PRESENT && Driver.isAlive(connection);
  }

  private static boolean isPresent() {
    try {
      return Driver.CONNECTION.isInterface();
    } catch (NoClassDefFoundError e) {
      return false;
    }
  }

  /** Names the driver's classes, and so is loaded only where they are. */
  private static final class Driver {

    static final Class<BaseConnection> CONNECTION = BaseConnection.class;

    static boolean isAlive(Connection connection) throws SQLException {
      return connection.isWrapperFor(CONNECTION)
          && connection.unwrap(CONNECTION).getTransactionState() != TransactionState.FAILED;
    }
  }
}
