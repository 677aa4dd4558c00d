// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Given;
import java.time.Duration;

/**
 * How often a relay polls, and how much one poll reads.
 *
 * @param idle how long to wait between polls while nothing happens; more than zero. Commits of this
 *     process wake a running relay, so this is about those of others
 * @param busy how long to wait between polls at least; more than zero. The wait is a tenth of the
 *     time in which no message has come, up to {@code idle}
 * @param pageMessagesMax how many messages one poll reads at most; 1 or more
 * @param pageBytesMax the payload bytes that end a page, however few its messages; 1 or more
 */
public record PollingOptions(Duration idle, Duration busy, int pageMessagesMax, long pageBytesMax) {

  /** The defaults. */
  public static final PollingOptions DEFAULT =
      new PollingOptions(Duration.ofMillis(40), Duration.ofMillis(5), 5_000, 8L << 20);

  /**
   * Checks that everything is given; {@link RelayOptions.Builder#build()} checks the values.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} where something is null
   */
  public PollingOptions {
    Given.check("polling.idle", idle);
    Given.check("polling.busy", busy);
  }

  /** Returns these options with another longest wait. */
  public PollingOptions withIdle(Duration value) {
    return new PollingOptions(value, busy, pageMessagesMax, pageBytesMax);
  }

  /** Returns these options with another shortest wait. */
  public PollingOptions withBusy(Duration value) {
    return new PollingOptions(idle, value, pageMessagesMax, pageBytesMax);
  }

  /** Returns these options with another number of messages a page. */
  public PollingOptions withPageMessagesMax(int value) {
    return new PollingOptions(idle, busy, value, pageBytesMax);
  }

  /** Returns these options with another number of bytes a page. */
  public PollingOptions withPageBytesMax(long value) {
    return new PollingOptions(idle, busy, pageMessagesMax, value);
  }
}
