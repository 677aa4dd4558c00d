// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Given;
import java.time.Duration;

/**
 * How long an owner keeps its subscription, and how often it saves.
 *
 * @param length how long an owner keeps its subscription without saving: a crashed one is succeeded
 *     after it; at least 500 ms
 * @param saveWait how long what is settled may wait for more, so that one save does for all of it:
 *     after a crash it is published again. A quarter of the window does not wait. With zero each
 *     step saves; at most a tenth of the lease
 */
public record LeaseOptions(Duration length, Duration saveWait) {

  /** The defaults. */
  public static final LeaseOptions DEFAULT =
      new LeaseOptions(Duration.ofSeconds(10), Duration.ofMillis(50));

  /**
   * Checks that everything is given; {@link RelayOptions.Builder#build()} checks the values.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} where something is null
   */
  public LeaseOptions {
    Given.check("lease", length);
    Given.check("saveWait", saveWait);
  }
}
