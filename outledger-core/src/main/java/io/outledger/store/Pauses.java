// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import java.util.Map;

/**
 * What is paused of a subscription, as one snapshot shows it.
 *
 * @param revision grows with each change; 0 where nothing was ever paused. A snapshot that shows a
 *     revision shows all changes up to it
 * @param current what is paused now
 */
public record Pauses(long revision, Map<PauseScope, Paused> current) {

  /** Nothing was ever paused. */
  public static final Pauses NONE = new Pauses(0, Map.of());

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public Pauses {
    current = Map.copyOf(Require.nonNull("current", current));
  }
}
