// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.handler;

import io.outledger.Message;

/**
 * Handles messages inside the application, and gets the position and the attempt of each. The
 * position tells two messages apart even if their writer gave them the same id. Several threads
 * call it, but never two at a time for the same key.
 */
@FunctionalInterface
public interface PositionedHandler {

  /**
   * Handles a message. When this method returns, its effect must be committed.
   *
   * @param position the message's position in the ledger, the same at every delivery
   * @param attempt 1 at first, and one more after each attempt that counted; an outage, a crash or
   *     a lost lease counts none
   * @param message the message
   * @throws Exception as {@link MessageHandler#handle(Message)} does
   */
  void handle(long position, int attempt, Message message) throws Exception;
}
