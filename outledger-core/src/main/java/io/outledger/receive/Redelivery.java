// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.Setting;
import io.outledger.inbox.InboxRetention;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * For how long a broker may deliver a message again that has taken effect, because it still has it.
 *
 * @param what whose time it is and which setting says so, for people, such as {@code topic orders
 *     (retention.ms)}
 * @param span the longest time; null where it is without limit
 */
public record Redelivery(String what, @Nullable Duration span) {

  /** What remembers for this long does so for good. */
  private static final Duration FOREVER = Duration.ofDays(100 * 365);

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null whose time it is
   */
  public Redelivery {
    Require.nonNull("what", what);
  }

  /**
   * Checks that nothing is delivered again after it was forgotten.
   *
   * @throws ConfigurationException {@code OUT-018} if the retention is shorter; without a limit, if
   *     it is shorter than a hundred years
   */
  public void check(InboxRetention retention) {
    Require.nonNull("retention", retention);
    if (span != null) {
      retention.check(span, what);
    } else if (retention.keep().compareTo(FOREVER) < 0) {
      throw new ConfigurationException(
          ErrorCode.RETENTION_TOO_SHORT,
          "the inbox forgets ids after "
              + Printable.span(retention.keep())
              + ", but "
              + what
              + " may deliver a message again without limit; set a limit there, raise the inbox"
              + " retention to 100 years ("
              + Setting.INBOX_RETENTION
              + "), or make the work harmless when it is repeated");
    }
  }
}
