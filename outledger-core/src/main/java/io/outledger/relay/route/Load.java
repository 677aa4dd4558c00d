// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import java.util.Collection;

/**
 * How much of the window messages take.
 *
 * @param messages how many messages
 * @param bytes how many bytes of them
 */
record Load(long messages, long bytes) {

  static final Load NONE = new Load(0, 0);

  static Load of(Collection<Delivery> deliveries) {
    return new Load(
        deliveries.size(), deliveries.stream().mapToLong(one -> one.origin().bytes()).sum());
  }

  Load plus(Delivery delivery) {
    return new Load(messages + 1, bytes + delivery.origin().bytes());
  }

  Load plus(Load other) {
    return new Load(messages + other.messages, bytes + other.bytes);
  }

  Load minus(Delivery delivery) {
    return new Load(messages - 1, bytes - delivery.origin().bytes());
  }

  Load minus(Load other) {
    return new Load(messages - other.messages, bytes - other.bytes);
  }
}
