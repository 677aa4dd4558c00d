// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.List;

/** An application with an outbox. Its verbs may be called from several threads. */
interface Application extends AutoCloseable {

  /** Commits a transaction with business work and this number of messages. */
  void commit(Business business, List<NumberedMessage> messages) throws Exception;

  /** Begins to publish what waits and what comes, and returns. */
  void start() throws Exception;

  /** Whether the database knows of each message that it was published. */
  boolean isSettled() throws Exception;

  @Override
  void close();
}
