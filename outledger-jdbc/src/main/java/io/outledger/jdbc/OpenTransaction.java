// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The check that a connection has a transaction which the caller will end. It costs no round trip.
 */
final class OpenTransaction {

  private OpenTransaction() {}

  static void require(Connection connection, String doing) throws SQLException {
    if (connection.getAutoCommit()) {
      throw missing(doing, "the connection is in auto-commit mode");
    }
  }

  static StoreException missing(String doing, String why) {
    return new StoreException(
        ErrorCode.NO_TRANSACTION,
        "cannot "
            + doing
            + ": no transaction is open, because "
            + why
            + ". Use the transaction of your own changes, or inNewTransaction(…) if there is none");
  }
}
