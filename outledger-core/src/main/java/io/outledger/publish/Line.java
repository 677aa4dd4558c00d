// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import io.outledger.Message;
import java.util.concurrent.CompletionStage;

/**
 * A destination behind a client library that answers later, as an {@link AsyncClient} uses it: how
 * to connect, and how to send one message. Thread-safe; none of its methods waits for the network.
 *
 * @param <C> a connection of the library
 */
public interface Line<C> {

  /**
   * Begins to connect. Asked again only after a connection failed or is no longer open.
   *
   * @return the connection; where it fails, the failure's text names the destination, without
   *     secrets, since it becomes the reason of an outage
   */
  CompletionStage<C> connect();

  /** Says whether a connection can still be used. */
  boolean isOpen(C connection);

  /**
   * Sends a message.
   *
   * @param connection an open connection
   * @param position the message's position in the ledger
   * @param message the message
   * @return what became of it; a failure, or what this throws, counts as {@link Outcome#suspect}
   */
  CompletionStage<Outcome> send(C connection, long position, Message message);

  /** Ends a connection at once, also one that is no longer open. Throws nothing. */
  void close(C connection);
}
