// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.time.Duration;

/**
 * Learns how long appends take, for metrics. The thread that appends calls it within its
 * transaction, so it must return quickly. A RuntimeException that it throws is logged, and the
 * append goes on. Thread-safe.
 */
@FunctionalInterface
public interface AppendListener {

  /** One that does nothing. */
  AppendListener NONE = (messages, took) -> {};

  /**
   * Messages were written; their transaction may still be rolled back.
   *
   * @param messages how many, one or more
   * @param took the time of the statement, by the monotonic clock
   */
  void appended(int messages, Duration took);

  /** Returns a listener that calls this one and then another. */
  default AppendListener and(AppendListener next) {
    Require.nonNull("next", next);
    return (messages, took) -> {
      appended(messages, took);
      next.appended(messages, took);
    };
  }
}
