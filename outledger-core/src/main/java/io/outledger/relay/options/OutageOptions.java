// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import io.outledger.Require;
import java.time.Duration;

/**
 * A relay's behaviour while it cannot reach a destination.
 *
 * @param probes the wait between probes of the destination
 * @param holdsUpOthersMax how long the destination may delay the other destinations of the
 *     subscription; zero or more. It delays them only once every message in the window waits for
 *     it. After this time, the relay parks those messages, one row each. Parking during every short
 *     outage would cost more than it gains
 */
public record OutageOptions(Backoff probes, Duration holdsUpOthersMax) {

  /** The defaults. */
  public static final OutageOptions DEFAULT =
      new OutageOptions(
          new Backoff(Duration.ofMillis(200), Duration.ofSeconds(4)), Duration.ofSeconds(30));

  /**
   * Checks that everything is given; {@link RelayOptions.Builder#build()} checks the values.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public OutageOptions {
    Require.nonNull("outage.probes", probes);
    Require.nonNull("outage.holdsUpOthersMax", holdsUpOthersMax);
  }

  /** Returns these options with another wait between probes. */
  public OutageOptions withProbes(Backoff value) {
    return new OutageOptions(value, holdsUpOthersMax);
  }

  /** Returns these options with another patience of the other destinations. */
  public OutageOptions withHoldsUpOthersMax(Duration value) {
    return new OutageOptions(probes, value);
  }
}
