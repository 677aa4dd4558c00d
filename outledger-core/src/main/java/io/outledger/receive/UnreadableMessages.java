// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

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
}
