// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.time.Instant;

/**
 * A place in the list of the messages that wait, in the order in which they are due.
 *
 * @param dueAt when the message is due
 * @param number its number
 */
public record ScheduledPoint(Instant dueAt, long number) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public ScheduledPoint {
    Require.nonNull("dueAt", dueAt);
  }
}
