// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import io.outledger.Require;
import java.time.Duration;

/**
 * How long the active relay holds the lease, and how often it saves its position.
 *
 * @param length how long the lease lasts without a save; from 500 ms to a day. After a crash,
 *     another relay takes over when the lease expires
 * @param saveWait the longest time between settling a message and saving its position; from zero to
 *     a tenth of the lease. Waiting lets one save cover several messages; after a crash, unsaved
 *     messages are published again. The relay saves at once when a quarter of the window is
 *     settled. Zero saves in every step
 */
public record LeaseOptions(Duration length, Duration saveWait) {

  /** The defaults. */
  public static final LeaseOptions DEFAULT =
      new LeaseOptions(Duration.ofSeconds(10), Duration.ofMillis(50));

  static final Duration MIN = Duration.ofMillis(500);
  static final Duration MAX = Duration.ofDays(1);

  /**
   * Checks that everything is given; {@link RelayOptions.Builder#build()} checks the values.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public LeaseOptions {
    Require.nonNull("length", length);
    Require.nonNull("saveWait", saveWait);
  }
}
