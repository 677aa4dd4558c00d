// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Message;

/**
 * Handles messages inside the application. Called by several threads, one at a time for each key.
 */
@FunctionalInterface
public interface MessageHandler extends PositionedHandler {

  /**
   * Handles a message; on return its effect is committed.
   *
   * @param message the message
   * @throws Exception where it could not be handled: it is parked and tried again, for this handler
   *     alone. An {@link io.outledger.InvalidMessageException} makes it a dead letter at once
   */
  void handle(Message message) throws Exception;

  @Override
  default void handle(long position, Message message) throws Exception {
    handle(message);
  }
}
