// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import java.util.List;

/**
 * Takes batches of received messages and makes them take effect. A consumer of a broker calls it
 * and acknowledges what has taken effect. Thread-safe; batches whose messages must keep their order
 * are given one after the other.
 */
@FunctionalInterface
public interface BatchHandler {

  /**
   * Receives a batch. On return every message of it has taken effect, durably, now or before.
   *
   * @param batch the messages, in the order received
   * @throws ReceiveFailedException if a message failed: those before it have taken effect and can
   *     be acknowledged, it and those after it have not and are to be received again
   * @throws Exception anything else: assume that none has taken effect, and receive them all again;
   *     a handler with an inbox does nothing twice
   */
  void handle(List<Received> batch) throws Exception;
}
