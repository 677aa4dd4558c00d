// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Given;
import io.outledger.store.ParkedState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state in which a message is parked.
 *
 * @param state why it is parked
 * @param blocks whether later messages of its key are held behind it; ignored where it has none
 * @param attempts how many attempts have failed
 * @param reason what happened, for people; null where it is merely held, or where the reason that
 *     the row has is to stay
 * @param delay how long until it may be tried; zero for a held message, which waits for its turn
 */
public record ParkedFailure(
    ParkedState state, boolean blocks, int attempts, @Nullable String reason, Duration delay) {

  /** The most characters of a reason. */
  public static final int REASON_CHARS_MAX = 2000;

  /** The state of a message behind a parked one of its key. */
  public static final ParkedFailure HELD =
      new ParkedFailure(ParkedState.HELD, true, 0, null, Duration.ZERO);

  /** Bounds the reason and makes it text that every database can store. */
  public ParkedFailure {
    Given.check("state", state);
    Given.check("delay", delay);
    reason = reason == null ? null : storable(reason);
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
