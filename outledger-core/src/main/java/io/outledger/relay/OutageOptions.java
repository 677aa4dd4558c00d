// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Given;
import java.time.Duration;

/**
 * What a relay does while a destination cannot be reached.
 *
 * @param probes how long to wait between probes of it
 * @param holdsUpOthersMax for how long it may hold up the other destinations of the subscription,
 *     which it does where all that may be read waits for it; zero or more. After that, what waits
 *     for it is set aside, a row each: to do so in every short outage would cost more than it gains
 */
public record OutageOptions(Backoff probes, Duration holdsUpOthersMax) {

  /** The defaults. */
  public static final OutageOptions DEFAULT =
      new OutageOptions(
          new Backoff(Duration.ofMillis(200), Duration.ofSeconds(4)), Duration.ofSeconds(30));

  /**
   * Checks that everything is given; {@link RelayOptions.Builder#build()} checks the values.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} where something is null
   */
  public OutageOptions {
    Given.check("outage.probes", probes);
    Given.check("outage.holdsUpOthersMax", holdsUpOthersMax);
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
