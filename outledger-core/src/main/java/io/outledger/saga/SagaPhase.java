// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.Require;
import java.util.Locale;

/** What a saga that has not ended is doing. */
public enum SagaPhase {
  /** It waits for its next message. */
  RUNNING,
  /** It undoes what it has done, and waits for an answer before it undoes the rest. */
  COMPENSATING;

  /** Returns how a table stores it, such as {@code running}. */
  public String stored() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads what a table stores.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static SagaPhase of(String stored) {
    return valueOf(Require.nonNull("stored", stored).toUpperCase(Locale.ROOT));
  }
}
