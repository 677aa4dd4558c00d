// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Given;
import io.outledger.InvalidMessageException;
import io.outledger.inbox.Received;
import org.jspecify.annotations.Nullable;

/**
 * What a broker delivered: a message, or the reason why it is none.
 *
 * @param place where it lies, as the broker counts; its text names it in the log
 * @param bytes about how much memory it takes
 * @param message the message; null where it cannot be received
 * @param problem why it cannot; null where it can
 * @param <P> the broker's places
 */
public record Arrival<P>(
    P place, int bytes, @Nullable Received message, @Nullable InvalidMessageException problem) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the place is null
   */
  public Arrival {
    Given.check("place", place);
  }
}
