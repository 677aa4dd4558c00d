// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.util.Locale;

/** How far an operator's request has come. */
public enum RequestState {
  /** Nobody has begun with it. */
  WAITING,
  /** It was begun, and there is more to do. */
  RUNNING,
  /** All of it was done. */
  DONE,
  /** It cannot be done, and the result says why; nothing was changed. */
  REFUSED,
  /**
   * It was ended before all of it was done; what was done stays. A replay may be {@linkplain
   * ResumeReplay resumed}.
   */
  STOPPED;

  /** Returns whether nothing more will happen. */
  public boolean isOver() {
    return this != WAITING && this != RUNNING;
  }

  /** Returns how the table stores it, in lower case. */
  public String stored() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads what the table stores.
   *
   * @throws IllegalArgumentException if it is none of them
   */
  public static RequestState of(String stored) {
    return valueOf(Require.nonNull("stored", stored).toUpperCase(Locale.ROOT));
  }
}
