// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.handler;

import io.outledger.Message;

/**
 * Handles messages inside the application. Several threads call it, but never two at a time for the
 * same key.
 */
@FunctionalInterface
public interface MessageHandler extends PositionedHandler {

  /**
   * Handles a message. When this method returns, its effect must be committed.
   *
   * @param message the message
   * @throws Exception if the message could not be handled; the relay parks and retries it for this
   *     handler only. An {@link io.outledger.InvalidMessageException} that is {@linkplain
   *     io.outledger.InvalidMessageException#isForGood() for good} makes it a dead letter at once
   */
  void handle(Message message) throws Exception;

  @Override
  default void handle(long position, int attempt, Message message) throws Exception {
    handle(message);
  }
}
