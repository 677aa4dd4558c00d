// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Message;
import java.sql.Connection;

/** Handles messages inside the application, in the transaction that remembers each as handled. */
@FunctionalInterface
public interface TransactionalHandler {

  /**
   * Handles a message. The connection must not be committed, rolled back or closed; it is committed
   * on return, together with what was appended on it.
   *
   * @throws Exception if it could not be handled: the transaction is rolled back, and the message
   *     is tried again for this handler alone. An {@link io.outledger.InvalidMessageException}
   *     makes it a dead letter at once, unless it is an {@link
   *     io.outledger.UnreadablePayloadException}
   */
  void handle(Connection connection, Message message) throws Exception;
}
