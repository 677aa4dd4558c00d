// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Given;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A relay's activity, as the status table shows it.
 *
 * @param state in a word
 * @param reason why, for people; null where there is nothing to say, empty where a stopped one
 *     simply ended
 * @param incarnation its ownership's random id; null while it owns nothing
 */
public record RelayStatus(State state, @Nullable String reason, @Nullable UUID incarnation) {

  private static final int REASON_CHARS_MAX = 1_000;

  /** Cuts a reason that is too long. */
  public RelayStatus {
    Given.check("state", state);
    if (reason != null && reason.length() > REASON_CHARS_MAX) {
      reason = reason.substring(0, REASON_CHARS_MAX);
    }
  }

  /** A relay's possible activities; the table contains their names in lower case. */
  public enum State {
    /** Somebody else owns the subscription, or did until now. */
    STANDBY,
    /** It owns the subscription and nothing keeps it. */
    RUNNING,
    /** It owns the subscription, and something keeps messages back. */
    WAITING,
    /** The database failed, and is tried again. */
    RECOVERING,
    /** A required condition is not met. */
    REFUSED,
    /** It has ended, because of what it was refused. */
    STOPPED
  }
}
