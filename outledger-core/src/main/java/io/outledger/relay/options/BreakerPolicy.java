// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.time.Duration;

/**
 * When a relay treats rejections as a broken destination instead of bad messages.
 *
 * @param failures the number of keys rejected in a row, with no message published in between, that
 *     opens the breaker of their topic and type; 1 or more
 * @param probeFor how long an open breaker tries one message at a time before it lets rejections
 *     through again
 * @param probes the wait between those attempts
 * @param rejectionsPerSecond the maximum rejections per second after {@code probeFor}
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
   * @throws ConfigurationException {@code OUT-021} if one is below 1
   */
  public BreakerPolicy {
    Require.nonNull("probeFor", probeFor);
    Require.nonNull("probes", probes);
    if (failures < 1 || rejectionsPerSecond < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "breaker.failures is "
              + failures
              + " and breaker.rejectionsPerSecond is "
              + rejectionsPerSecond
              + ", but both must be 1 or more");
    }
  }
}
