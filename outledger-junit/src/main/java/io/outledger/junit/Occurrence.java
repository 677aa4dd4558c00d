// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Message;
import java.util.List;
import java.util.Objects;

/**
 * An event, and where it stands among all of them.
 *
 * @param place from 0, in the order appended or published
 * @param event the event, or a message that was appended as such
 * @param messages the messages that it became
 */
record Occurrence(int place, Object event, List<Message> messages) {

  boolean hasKey(String key) {
    return messages.stream().anyMatch(message -> key.equals(message.key()));
  }

  /** Returns whether both have a message of one key, so that their order is promised. */
  boolean sharesKeyWith(Occurrence other) {
    return messages.stream().map(Message::key).filter(Objects::nonNull).anyMatch(other::hasKey);
  }

  @Override
  public String toString() {
    return event + messages.stream().map(Occurrence::address).toList().toString();
  }

  private static String address(Message message) {
    return message.topic() + (message.key() == null ? "" : ", key " + message.key());
  }
}
