// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at a message that has failed and counts, for an operator who asks what happened each
 * time. Its number is the count of attempts that it is told with. Of each parked message a store
 * keeps the first {@value #FIRST_KEPT} and the last {@value #LAST_KEPT}: how it began, what it is
 * now, and whether that has changed; those between say what one of the others says.
 *
 * @param took how long it took, from the hand-over to its outcome; null where nobody knows: it was
 *     refused without being handed over, or blamed only by what became of others
 */
public record FailedAttempt(@Nullable Duration took) {

  /** How many attempts at a message are kept from its first on. */
  public static final int FIRST_KEPT = 5;

  /** How many attempts at a message are kept up to its last. */
  public static final int LAST_KEPT = 5;

  /** One of which nobody knows how long it took. */
  public static final FailedAttempt UNTIMED = new FailedAttempt(null);
}
