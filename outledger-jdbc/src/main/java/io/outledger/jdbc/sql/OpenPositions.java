// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.Positions;
import java.sql.Connection;
import java.sql.SQLException;

/** The open positions of one cursor that stand beside its row. */
public interface OpenPositions {

  /** Returns them. */
  Positions load(Connection connection) throws SQLException;

  /** Replaces all of them, in the caller's transaction, which has fenced the owner. */
  void replace(Connection transaction, Positions positions) throws SQLException;
}
