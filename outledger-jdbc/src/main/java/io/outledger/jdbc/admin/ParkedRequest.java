// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an operator has requested for a parked message. */
public enum ParkedRequest {
  /** Try it again now. */
  RETRY,
  /** Give it up permanently. */
  DISCARD;

  /** Returns how the tables store it: {@code retry} or {@code discard}. */
  public String stored() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads what a table stores.
   *
   * @param stored as {@link #stored()} returns it; null where nothing was requested
   * @return the request, or null where there is none
   * @throws IllegalArgumentException if it is neither
   */
  public static @Nullable ParkedRequest of(@Nullable String stored) {
    return stored == null ? null : valueOf(stored.toUpperCase(Locale.ROOT));
  }
}
