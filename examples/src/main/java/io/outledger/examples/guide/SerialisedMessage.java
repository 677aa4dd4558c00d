// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.Message;
import io.outledger.Outbox;

/** A message that the application has serialised itself. */
final class SerialisedMessage {

  private SerialisedMessage() {}

  static void append(Outbox outbox, byte[] json) {
    outbox.append(Message.to("orders", "order.placed").key("o-1").payload(json));
  }
}
