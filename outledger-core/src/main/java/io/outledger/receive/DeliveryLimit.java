// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ConfigurationException;
import io.outledger.Require;
import org.jspecify.annotations.Nullable;

/**
 * That a broker gives up a message that it has delivered too often.
 *
 * @param deliveries how many; null where the broker does not tell
 * @param words what the broker does with the message then, and what to do so that none is lost, for
 *     people: the end of a sentence
 */
public record DeliveryLimit(@Nullable Integer deliveries, String words) {

  /** As many restarts of a receiver are no accident any more. */
  private static final int MANY = 100;

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null what the broker does
   */
  public DeliveryLimit {
    Require.nonNull("words", words);
  }

  /**
   * Returns whether the broker is known to give up a message after a few deliveries: then restarts
   * and lost connections alone may use them up.
   */
  public boolean isFew() {
    return deliveries != null && deliveries < MANY;
  }
}
