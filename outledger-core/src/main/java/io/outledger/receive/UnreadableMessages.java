// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.inbox.BatchHandler;

/**
 * Decides about deliveries that cannot be received: no CloudEvents, with too many headers, or
 * without an identity that can be read. Called by the receiver's thread, in the order of a stream.
 */
@FunctionalInterface
public interface UnreadableMessages {

  /**
   * Notes a delivery durably, such as in a table. On return it is acknowledged, and so passed over
   * for good.
   *
   * @param place where it lies or was delivered, as the broker's module names it
   * @param payload its bytes, not copied; empty where there are none
   * @param reason what is wrong with it
   * @throws Exception to hold its stream, and be asked again after the back-off
   */
  void setAside(String place, byte[] payload, String reason) throws Exception;

  /**
   * Returns one that parks each delivery in the database of a handler's consumer, as a dead letter:
   * a message of the type {@code outledger.unreadable}, with the place as its topic, a new id and
   * no key, so it holds up nothing. Operators list it, read its payload and discard it as any
   * other; retried, it goes to the handler. A delivery that was not acknowledged because of a crash
   * is parked once more.
   *
   * @param handler that of an inbox, which the receiver is started with
   * @param parkedMax the most messages that the consumer may have parked, 1 or more; beyond it, a
   *     delivery holds its stream
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the handler is not an inbox's,
   *     or the bound is below 1
   */
  static UnreadableMessages parked(BatchHandler handler, int parkedMax) {
    return ParkedUnreadable.of(handler, parkedMax);
  }
}
