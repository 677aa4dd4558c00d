// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.Setting;
import java.time.Duration;

/**
 * How long an inbox remembers what it has processed. A message that is delivered again later than
 * that takes effect twice, so it must not be less than anybody may continue delivering.
 *
 * @param keep how long, more than zero
 */
public record InboxRetention(Duration keep) {

  /** The default: 14 days, twice what a Kafka topic keeps by default. */
  public static final InboxRetention DEFAULT = new InboxRetention(Duration.ofDays(14));

  /**
   * Checks the duration.
   *
   * @throws ConfigurationException {@code OUT-018} if it is not more than zero
   */
  public InboxRetention {
    Require.nonNull("keep", keep);
    if (keep.isNegative() || keep.isZero()) {
      throw new ConfigurationException(
          ErrorCode.RETENTION_TOO_SHORT,
          "the inbox's retention is " + Printable.span(keep) + " but must be positive");
    }
  }

  /**
   * Checks, at start, that nothing is delivered again after it was forgotten.
   *
   * @param retrySpan the longest time after which a message may be delivered again: the broker's
   *     retention, the age of dead letters that are sent again, or the whole of all retries
   * @param what whose span it is, for the error's text
   * @throws ConfigurationException {@code OUT-018} if the retention is shorter
   */
  public void check(Duration retrySpan, String what) {
    Require.nonNull("what", what);
    Require.nonNull("retrySpan", retrySpan);
    if (keep.compareTo(retrySpan) < 0) {
      throw new ConfigurationException(
          ErrorCode.RETENTION_TOO_SHORT,
          "the inbox forgets ids after "
              + Printable.span(keep)
              + ", but "
              + what
              + " may deliver a message again for "
              + Printable.span(retrySpan)
              + "; raise the inbox retention to at least that: "
              + Setting.INBOX_RETENTION);
    }
  }
}
