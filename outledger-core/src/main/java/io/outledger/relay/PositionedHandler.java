// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Message;

/**
 * Handles messages inside the application, and is told where in the ledger each is: what tells two
 * messages apart whose writer gave them one id. Called by several threads, one at a time for each
 * key.
 */
@FunctionalInterface
public interface PositionedHandler {

  /**
   * Handles a message; on return its effect is committed.
   *
   * @param position the message's position in the ledger, the same at every delivery
   * @param message the message
   * @throws Exception as {@link MessageHandler#handle(Message)} does
   */
  void handle(long position, Message message) throws Exception;
}
