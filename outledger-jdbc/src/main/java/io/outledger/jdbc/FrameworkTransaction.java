// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.sql.Connection;

/**
 * A transaction that a framework runs, for a handler of a relay: see {@link
 * JdbcInbox#processIn(FrameworkTransaction, io.outledger.inbox.Received,
 * io.outledger.inbox.Inbox.Work)}. Used by one thread, for one message.
 */
public interface FrameworkTransaction {

  /**
   * Begins it, as one that joins no other.
   *
   * @return the connection of its data source, which the framework commits with it
   * @throws Exception what the framework throws if it could not begin
   */
  Connection begin() throws Exception;

  /**
   * Commits it. A framework runs code of the application before that, which may use other
   * databases: what fails there says nothing of this transaction.
   *
   * @param failing to be run on this thread where something fails before the database is asked to
   *     commit, while the transaction is still there
   * @throws Exception what the framework throws if it did not commit, or may not have
   */
  void commit(Runnable failing) throws Exception;

  /**
   * Rolls it back. What fails on the way is added to the failure, suppressed.
   *
   * @param failure what the work, or the inbox, has thrown
   */
  void rollBack(Throwable failure);
}
