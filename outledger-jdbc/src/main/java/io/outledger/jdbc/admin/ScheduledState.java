// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait for their time, as a whole.
 *
 * @param waiting how many wait, those included that are due
 * @param due how many of them are due, and not in the ledger yet: more than a second's worth says
 *     that no process moves them, that a transaction has locked them, or that they are refused,
 *     which the log of the process that moves them tells
 * @param next when the first is due, by the database's clock; null where none waits
 * @param late for how long the first has been due; zero where none is
 */
public record ScheduledState(Count waiting, Count due, @Nullable Instant next, Duration late) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null that must not
   *     be
   */
  public ScheduledState {
    Require.nonNull("waiting", waiting);
    Require.nonNull("due", due);
    Require.nonNull("late", late);
  }
}
