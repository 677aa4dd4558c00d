// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Delivery;
import io.outledger.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The table of the messages that wait for their time, {@code outledger_scheduled}. A row is there
 * for as long as its message waits: it goes in the transaction that cancels it, or that inserts it
 * into the ledger. Every method works in the caller's transaction. Thread-safe.
 */
public interface ScheduledTable {

  /**
   * Adds a message. One that replaces another first removes what waits under its name.
   *
   * @param transaction the connection of the caller's transaction, not in auto-commit mode
   * @param message checked
   * @param when when it is due, by the database's clock
   * @return false where another message waits under the name: nothing was added, and the
   *     transaction can go on
   * @throws SQLException if the database failed: the caller rolls back
   */
  boolean add(Connection transaction, Message message, Delivery when) throws SQLException;

  /**
   * Removes a message that waits. Where another transaction is just moving or cancelling it, this
   * waits for that one's end.
   *
   * @return how many were removed: 0 where it does not wait
   * @throws SQLException if the database failed: the caller rolls back
   */
  int cancel(Connection transaction, UUID id) throws SQLException;

  /** Removes the message that waits under a name; see {@link #cancel(Connection, UUID)}. */
  int cancel(Connection transaction, String name) throws SQLException;

  /**
   * Makes a message that waits due now.
   *
   * @return how many there were: 0 where it does not wait
   * @throws SQLException if the database failed: the caller rolls back
   */
  int makeDue(Connection transaction, UUID id) throws SQLException;

  /** Makes the message due now that waits under a name. */
  int makeDue(Connection transaction, String name) throws SQLException;
}
