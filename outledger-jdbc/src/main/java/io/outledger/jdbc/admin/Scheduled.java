// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits for its time.
 *
 * @param number its number, in the order in which messages were scheduled
 * @param message what it is; its time is that at which it was scheduled
 * @param dueAt when it is due, by the database's clock
 * @param name the name under which it waits; null where it has none
 */
public record Scheduled(long number, MessageInfo message, Instant dueAt, @Nullable String name) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null that must not
   *     be
   */
  public Scheduled {
    Require.nonNull("message", message);
    Require.nonNull("dueAt", dueAt);
  }

  /** Returns its place in the list. */
  public ScheduledPoint place() {
    return new ScheduledPoint(dueAt, number);
  }
}
