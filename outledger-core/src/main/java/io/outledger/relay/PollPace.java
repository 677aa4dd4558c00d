// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.relay.options.RelayOptions;
import java.time.Duration;

/**
 * How long to wait between polls: a tenth of the time in which nothing has come, within bounds. So
 * messages that keep coming are found soon, and an idle ledger costs little.
 */
final class PollPace {

  private final RelayOptions options;
  private long cameAt;

  PollPace(RelayOptions options, long now) {
    this.options = options;
    this.cameAt = now;
  }

  /** Notes that messages were found. */
  void came(long now) {
    cameAt = now;
  }

  Duration next(long now) {
    Duration tenth = Duration.ofNanos((now - cameAt) / 10);
    return shorter(
        options.polling().idle(),
        tenth.compareTo(options.polling().busy()) > 0 ? tenth : options.polling().busy());
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
