// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import java.time.Duration;

/**
 * A destination of messages: a broker, a set of handlers, a webhook. It is configuration and opens
 * nothing by itself; a relay that owns its subscription opens a {@link PublisherClient} from it.
 *
 * <p>Implementations are thread-safe and pass {@code PublisherContract}.
 */
public interface Publisher {

  /** Says how this publisher keeps the order of one key's messages. */
  KeyOrder keyOrder();

  /**
   * Returns whether several of its clients may be open at the same time, in this process and in
   * others, as they are with partitions: by default they may. Not where they would end each other,
   * for example because a broker allows one connection for each name.
   */
  default boolean allowsSeveral() {
    return true;
  }

  /**
   * Opens a client. Connecting may be left to the first publish.
   *
   * @param deliveryTimeMax the longest that a message handed over may be on its way before its
   *     outcome is reported; what is left of the lease bounds it
   * @param outcomes where the client reports what became of each message; thread-safe
   * @throws DestinationUnavailableException if the destination cannot be reached
   */
  PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes);
}
