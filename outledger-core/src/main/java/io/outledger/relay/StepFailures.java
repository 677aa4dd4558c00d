// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.log.QuietLog;
import java.time.Duration;
import org.slf4j.event.Level;

/** Tells why a running relay's steps fail, and when the next one is due. Thread-safe. */
final class StepFailures {

  private static final Duration REFUSED_PAUSE = Duration.ofSeconds(2);
  private static final Duration FAILED_PAUSE = Duration.ofSeconds(1);

  private final QuietLog log;

  StepFailures(QuietLog log) {
    this.log = log;
  }

  /** Takes a condition that is not met, and returns how long to wait before the next look. */
  Duration refused(ConfigurationException failure) {
    String reason = String.valueOf(failure.getMessage());
    log.fails(
        Level.ERROR,
        "refused",
        reason,
        () ->
            "publishes nothing until this is fixed; next look in "
                + Printable.span(REFUSED_PAUSE)
                + ": "
                + reason);
    return REFUSED_PAUSE;
  }

  /** Takes what a step has thrown, and returns how long to wait before the next step. */
  Duration failed(Throwable failure) {
    log.fails(
        Level.ERROR,
        "failed",
        () -> "failed unexpectedly and gave up its lease; it continues as a standby",
        failure);
    return FAILED_PAUSE;
  }

  /** Returns how long to wait where there is no memory even to tell of a failure. */
  Duration untold() {
    return FAILED_PAUSE;
  }
}
