// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * The inbox records of one subscription's transactional handlers in a range that is read again, or
 * of a subscription that is deleted. The handlers skip recorded messages: right after a crash, but
 * perhaps not what a move back wants. Of a message that the ledger does not have any more they go
 * on remembering: it may be parked, or at work, and must not take effect twice. Thread-safe.
 */
public interface HandlersMemory {

  /** Returns how many times one of them would pass over a message above a position, if any. */
  long count(Connection connection, OptionalLong above) throws SQLException;

  /** Makes them forget what is above a position, if any, and returns how much that was. */
  long forget(Connection connection, OptionalLong above) throws SQLException;

  /** Makes them forget everything. */
  void forgetAll(Connection connection) throws SQLException;
}
