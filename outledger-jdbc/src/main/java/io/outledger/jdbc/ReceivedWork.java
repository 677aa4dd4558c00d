// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.inbox.Received;
import java.sql.Connection;

/** A consumer's work for a received message, in the transaction that remembers it. */
@FunctionalInterface
public interface ReceivedWork {

  /**
   * Does it. The connection must not be committed, rolled back or closed.
   *
   * @throws Exception if the message cannot take effect now; the transaction is rolled back
   */
  void handle(Connection connection, Received message) throws Exception;
}
