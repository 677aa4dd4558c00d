// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Inserts messages into the ledger, in the caller's transaction. Thread-safe. */
public interface LedgerAppender {

  /**
   * Inserts messages, with one statement and in one round trip unless that would be too large for
   * the database. They get positions in the order given, all of them higher than those of any
   * message that the transaction has appended before. They are there when the transaction commits,
   * and were never there when it rolls back.
   *
   * <p>A position is drawn in a way that the proof of dead holes rests on: the writer is known to
   * relays from before it draws a number until its transaction has ended. See {@link
   * io.outledger.frontier.Snapshot} for what has to hold. Inserting needs no right to read.
   *
   * @param transaction the connection of the caller's transaction, not in auto-commit mode
   * @param messages one or more, checked
   * @throws SQLException if the database failed, or refused a message: none of them is left in the
   *     transaction, even if the caller goes on with it and commits
   */
  void append(Connection transaction, List<Message> messages) throws SQLException;

  /**
   * Returns whether some subscription reads the ledger; true where the role may not know. It must
   * not fail for want of a right, because a failed statement may end the caller's transaction.
   *
   * @param transaction the connection of the caller's transaction
   * @throws SQLException if the database failed: the caller rolls back
   */
  boolean isRead(Connection transaction) throws SQLException;

  /**
   * Returns the statement that sets the ledger's numbers above every position, for people: a
   * database that was moved may have the rows without the sequence that they were numbered by.
   */
  String renumbering();
}
