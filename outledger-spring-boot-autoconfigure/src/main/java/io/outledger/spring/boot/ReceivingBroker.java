// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.receive.BrokerReceiver;
import java.util.function.Supplier;

/** A broker whose messages can be received, too. */
interface ReceivingBroker extends Broker {

  /**
   * Makes a receiver.
   *
   * @param consumer the name by which the broker knows the consumer, where the properties do not
   *     give another one; asked for only then
   * @param properties those of the receiver, with this broker's among them
   * @param path the name of this broker's properties
   */
  BrokerReceiver<?> receiver(Supplier<String> consumer, ReceiverProperties properties, String path);
}
