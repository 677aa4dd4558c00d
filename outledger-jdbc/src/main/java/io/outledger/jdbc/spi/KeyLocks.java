// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Serialises transactions by ordering keys. Thread-safe. */
public interface KeyLocks {

  /**
   * Takes the lock of each key, waiting for other transactions that have it, and keeps it until the
   * transaction ends. Taking one again changes nothing. All keys of one call are taken in an order
   * that is the same for every caller, so two calls that name the same keys do not deadlock.
   *
   * <p>Different keys may share a lock: a transaction may wait without need, but two transactions
   * never have the same key at once. Nothing is written, and readers are not held up.
   *
   * @param transaction the connection of the caller's transaction, not in auto-commit mode
   * @param keys one or more, in any order
   * @throws SQLException if the database failed or gave up waiting: the caller rolls back
   */
  void lock(Connection transaction, List<String> keys) throws SQLException;
}
