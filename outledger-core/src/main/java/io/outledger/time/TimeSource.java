// SPDX-License-Identifier: Apache-2.0
package io.outledger.time;

import java.time.Instant;

/**
 * Where time comes from. Leases and back-offs use {@link #nanoTime()} alone, so a wall clock that
 * jumps takes nothing away.
 *
 * <p>Implementations are thread-safe.
 */
public interface TimeSource {

  /** Returns the wall clock's time, for display and for a message's time. */
  Instant now();

  /** Returns monotonic nanoseconds with an arbitrary origin; compare by subtraction only. */
  long nanoTime();

  /** Returns the system's clocks. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }
}
