// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state in which a message is parked, on its way out or in.
 *
 * @param state why it is parked
 * @param blocks whether later messages of its key are held behind it; ignored where it has none
 * @param attempts how many attempts have failed
 * @param reason what happened, for people; null where it is merely held, or where the reason that
 *     the row has is to stay
 * @param delay how long until it may be tried; zero for a held message, which waits for its turn
 * @param attempt the last of the attempts, where it was counted just now; else null
 */
public record ParkedFailure(
    ParkedState state,
    boolean blocks,
    int attempts,
    @Nullable String reason,
    Duration delay,
    @Nullable FailedAttempt attempt) {

  /** The most characters of a reason. */
  public static final int REASON_CHARS_MAX = 2000;

  /** The state of a message behind a parked one of its key. */
  public static final ParkedFailure HELD =
      new ParkedFailure(ParkedState.HELD, true, 0, null, Duration.ZERO);

  private static final Duration UNTIL_RESUMED = ChronoUnit.FOREVER.getDuration();

  /**
   * Returns the state of a message that is not tried while a pause holds, or until an instance has
   * it that handles it.
   *
   * @param attempts how many attempts have failed before
   * @param reason who has paused what, and why, or what is waited for
   */
  public static ParkedFailure untilResumed(int attempts, String reason) {
    Require.nonNull("reason", reason);
    return new ParkedFailure(ParkedState.RETRYING, true, attempts, reason, UNTIL_RESUMED);
  }

  /** Returns whether it waits for the end of a pause, or for an instance, whenever that is. */
  public boolean isUntilResumed() {
    return delay.equals(UNTIL_RESUMED);
  }

  /** Bounds the reason and makes it text that every database can store. */
  public ParkedFailure {
    Require.nonNull("state", state);
    Require.nonNull("delay", delay);
    reason = reason == null ? null : storable(reason);
  }

  /** Makes the state of a message of which no attempt was counted just now. */
  public ParkedFailure(
      ParkedState state, boolean blocks, int attempts, @Nullable String reason, Duration delay) {
    this(state, blocks, attempts, reason, delay, null);
  }

  /** Returns the same, but held behind another message of its key. */
  public ParkedFailure behindAnother() {
    return new ParkedFailure(ParkedState.HELD, true, attempts, reason, Duration.ZERO, attempt);
  }

  private static String storable(String reason) {
    StringBuilder text = new StringBuilder();
    reason
        .codePoints()
        .limit(REASON_CHARS_MAX)
        .map(c -> c == 0 || Character.getType(c) == Character.SURROGATE ? '?' : c)
        .forEach(text::appendCodePoint);
    return text.toString();
  }
}
