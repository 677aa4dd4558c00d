// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

/** What Spring applications publish. */
record OrderPlaced(String key, String payload) {

  static OrderPlaced of(NumberedMessage message) {
    return new OrderPlaced(message.key(), message.payload());
  }

  void reach(Receiver receiver) {
    receiver.receive(NumberedMessage.numberOf(payload));
  }
}
