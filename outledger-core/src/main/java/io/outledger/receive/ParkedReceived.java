// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import org.jspecify.annotations.Nullable;

/**
 * A message that a consumer has received and parked, without its payload.
 *
 * @param number its number, in the order in which messages of a key were parked; 0 before that
 * @param id its identity
 * @param key its ordering key; null where it has none
 * @param keySpace what its key belongs to
 * @param topic where it came from
 * @param type the name of its type
 * @param attempts how many attempts have failed
 */
public record ParkedReceived(
    long number,
    InboxId id,
    @Nullable String key,
    String keySpace,
    String topic,
    String type,
    int attempts) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ParkedReceived {
    Require.nonNull("id", id);
    Require.nonNull("keySpace", keySpace);
    Require.nonNull("topic", topic);
    Require.nonNull("type", type);
  }

  /** Describes a message that is not parked yet. */
  static ParkedReceived of(Received message) {
    return new ParkedReceived(
        0,
        message.inboxId(),
        message.key(),
        message.keySpace(),
        message.topic(),
        message.type(),
        0);
  }

  /** Describes a message that no inbox knows; its key may be personal data. */
  static ParkedReceived withoutKey(Received message) {
    return new ParkedReceived(
        0, message.inboxId(), null, message.keySpace(), message.topic(), message.type(), 0);
  }

  /** Names the message, printably; the key helps to find it and its followers. */
  @Override
  public String toString() {
    return "message "
        + Printable.value(id.id())
        + " from "
        + Printable.value(id.source())
        + " (topic "
        + Printable.value(topic)
        + ", type "
        + Printable.value(type)
        + (key == null ? "" : ", key " + Printable.value(key))
        + (number == 0 ? "" : ", number " + number)
        + ")";
  }
}
