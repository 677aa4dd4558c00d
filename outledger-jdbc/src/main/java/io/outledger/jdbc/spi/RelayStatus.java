// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A relay's activity, as the status table shows it.
 *
 * @param state in a word
 * @param reason why, for people; null where there is nothing to say, empty where a stopped one
 *     simply ended
 * @param incarnation its ownership's random id; null while it owns nothing
 * @param causes all that keeps messages back, the oldest first; the reason tells of the first
 */
public record RelayStatus(
    State state, @Nullable String reason, @Nullable UUID incarnation, List<RelayCause> causes) {

  private static final int REASON_CHARS_MAX = 1_000;

  /** Cuts a reason that is too long. */
  public RelayStatus {
    Require.nonNull("state", state);
    causes = List.copyOf(Require.nonNull("causes", causes));
    if (reason != null && reason.length() > REASON_CHARS_MAX) {
      reason = reason.substring(0, REASON_CHARS_MAX);
    }
  }

  /** Makes one that nothing keeps. */
  public RelayStatus(State state, @Nullable String reason, @Nullable UUID incarnation) {
    this(state, reason, incarnation, List.of());
  }

  /** A relay's possible activities; the table contains their names in lower case. */
  public enum State {
    /** Somebody else owns the subscription, or did until now. */
    STANDBY,
    /** It owns the subscription and nothing keeps it. */
    RUNNING,
    /** It owns the subscription, and something keeps messages back. */
    WAITING,
    /** It owns the subscription, and an operator has paused all of it. */
    PAUSED,
    /** The database failed, and is tried again. */
    RECOVERING,
    /** A required condition is not met. */
    REFUSED,
    /** It has ended, because of what it was refused. */
    STOPPED
  }
}
