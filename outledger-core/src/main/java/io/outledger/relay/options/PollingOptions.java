// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import io.outledger.Require;
import java.time.Duration;

/**
 * How often a relay polls the ledger, and how much one poll reads.
 *
 * @param idle the longest wait between polls of an idle ledger; more than zero. Commits of the same
 *     process wake a running relay, so this delay affects only messages of other processes
 * @param busy the shortest wait between polls; more than zero. The wait is a tenth of the time
 *     since the last message, up to {@code idle}
 * @param pageMessagesMax the maximum number of messages that one poll reads; 1 or more
 * @param pageBytesMax the payload bytes after which a poll stops reading, whatever the number of
 *     messages; 1 or more
 */
public record PollingOptions(Duration idle, Duration busy, int pageMessagesMax, long pageBytesMax) {

  /** The defaults. */
  public static final PollingOptions DEFAULT =
      new PollingOptions(Duration.ofMillis(40), Duration.ofMillis(5), 5_000, 8L << 20);

  /**
   * Checks that everything is given; {@link RelayOptions.Builder#build()} checks the values.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public PollingOptions {
    Require.nonNull("polling.idle", idle);
    Require.nonNull("polling.busy", busy);
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
