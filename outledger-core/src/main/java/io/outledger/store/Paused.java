// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import java.time.Instant;

/**
 * A pause that holds: a state that stays until an operator resumes it.
 *
 * @param scope what is paused
 * @param by who has asked for it
 * @param reason why
 * @param since since when, by the database's clock
 */
public record Paused(PauseScope scope, String by, String reason, Instant since) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public Paused {
    Require.nonNull("scope", scope);
    Require.nonNull("by", by);
    Require.nonNull("reason", reason);
    Require.nonNull("since", since);
  }

  @Override
  public String toString() {
    return scope + " is paused by " + by + ": " + reason;
  }
}
