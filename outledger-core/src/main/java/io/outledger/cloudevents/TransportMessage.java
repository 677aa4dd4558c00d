// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import org.jspecify.annotations.Nullable;

/**
 * A message as a broker's client delivered it, apart from its headers. A receiver implements this
 * over its client's own type. Each method answers the same at every call.
 */
public interface TransportMessage {

  /**
   * Names the message for people, so that they find it at the broker: a noun and where it lies,
   * such as {@code record orders-0@7}. Asked only for an error's text, which begins with it.
   */
  String place();

  /** Returns the topic, queue, stream or subject that it was received from. */
  String topic();

  /**
   * Returns the broker's own ordering key as text; null where it has none, or one that is not text
   * ({@link ReceivedHeaders#text}). Asked only if the sender gave no {@code partitionkey}.
   */
  @Nullable String key();

  /** Returns the payload, not copied; empty where there is none. */
  byte[] payload();

  /**
   * Returns the place it came from as the receiver knows it, which no sender can choose: the {@link
   * io.outledger.inbox.Received#origin origin} of the message.
   */
  String origin();

  /**
   * Returns what its key belongs to, as the receiver knows it: the {@link
   * io.outledger.inbox.Received#keySpace keySpace} of the message. Where the broker keeps one order
   * for several topics, it is what they have in common. Unless implemented, it is empty, which
   * stands for the origin, or for the topic where there is none.
   */
  default String keySpace() {
    return "";
  }

  /**
   * Makes the error that says of this message why it cannot be received: {@code OUT-014}.
   *
   * @param problem a verb and the rest of the sentence; never a value that the sender chose, since
   *     the text goes into logs
   */
  default InvalidMessageException unreadable(String problem) {
    Require.nonNull("problem", problem);
    return new InvalidMessageException(ErrorCode.INVALID_MESSAGE, place() + " " + problem);
  }
}
