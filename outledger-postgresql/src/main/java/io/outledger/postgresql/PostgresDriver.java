// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.BaseStatement;
import org.postgresql.core.TransactionState;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Abilities of PostgreSQL's own driver beyond JDBC. The driver may be absent: a connection may
 * belong to another driver, or to a pool that hides it.
 */
final class PostgresDriver {

  private static final boolean IS_PRESENT = isPresent();

  private PostgresDriver() {}

  /**
   * PostgreSQL answers the commit of a failed transaction by rolling it back, and its driver takes
   * that for success. The server tells the driver with each answer whether the transaction has
   * failed. Where the driver does not vouch for it, the server is asked.
   */
  static void requireIntact(Connection connection) throws SQLException {
    if (isKnownAlive(connection)) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1");
    }
  }

  private static boolean isKnownAlive(Connection connection) throws SQLException {
    return IS_PRESENT && Driver.isAlive(connection);
  }

  /**
   * Has a statement prepared on the server from its first time on, and its rows sent in binary;
   * else the driver waits until it has been executed a few times. Where it was told never to
   * prepare, as behind some poolers, it stays so.
   */
  static void prepareAtOnce(PreparedStatement statement) throws SQLException {
    if (IS_PRESENT) {
      Driver.prepareAtOnce(statement);
    }
  }

  /** Returns whether the server says that a function met a failure. */
  static boolean isWithinFunction(SQLException failure) {
    return IS_PRESENT && Driver.isWithinFunction(failure);
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

    private static final int AT_ONCE_AND_BINARY = -1;

    static boolean isAlive(Connection connection) throws SQLException {
      return connection.isWrapperFor(CONNECTION)
          && connection.unwrap(CONNECTION).getTransactionState() != TransactionState.FAILED;
    }

    static boolean isWithinFunction(SQLException failure) {
      if (failure instanceof PSQLException said) {
        ServerErrorMessage message = said.getServerErrorMessage();
        return message != null && message.getWhere() != null;
      }
      return false;
    }

    static void prepareAtOnce(PreparedStatement statement) throws SQLException {
      if (!statement.isWrapperFor(BaseStatement.class)) {
        return;
      }
      BaseStatement known = statement.unwrap(BaseStatement.class);
      if (known.getPrepareThreshold() > 0) {
        known.setPrepareThreshold(AT_ONCE_AND_BINARY);
      }
    }
  }
}
