// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Message;
import java.util.Map;

/**
 * What the context of an appending thread adds to its messages.
 *
 * @param headers by name; a message that has one of its own keeps it
 */
record CarriedHeaders(Map<String, String> headers) {

  /** Returns the message with these headers. */
  Message on(Message message) {
    if (message.headers().keySet().containsAll(headers.keySet())) {
      return message;
    }
    Message.Builder copy = message.copy();
    headers.forEach(
        (name, value) -> {
          if (!message.headers().containsKey(name)) {
            copy.header(name, value);
          }
        });
    return copy.build();
  }
}
