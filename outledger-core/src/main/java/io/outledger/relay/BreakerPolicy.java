// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import java.time.Duration;

/**
 * When rejections are taken for a broken destination instead of bad messages.
 *
 * @param failures this many keys in a row rejected, none published between, open the breaker of
 *     their topic and type; 1 or more
 * @param probeFor how long an open breaker tries one message at a time before messages are rejected
 *     normally again
 * @param probes how long to wait between such tries
 * @param rejectionsPerSecond how many messages a second may be rejected after {@code probeFor}
 */
public record BreakerPolicy(
    int failures, Duration probeFor, Backoff probes, int rejectionsPerSecond) {

  /** 20 keys; one minute of probes, 0.5 to 5 seconds apart; then 100 rejections a second. */
  public static final BreakerPolicy DEFAULT =
      new BreakerPolicy(
          20,
          Duration.ofMinutes(1),
          new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5)),
          100);

  /**
   * Checks the numbers.
   *
   * @throws ConfigurationException {@code OUT-021} where one is below 1
   */
  public BreakerPolicy {
    Given.check("time to probe for", probeFor);
    Given.check("back-off of probes", probes);
    if (failures < 1 || rejectionsPerSecond < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "failures is "
              + failures
              + " and rejectionsPerSecond is "
              + rejectionsPerSecond
              + ", but both must be 1 or more");
    }
  }
}
