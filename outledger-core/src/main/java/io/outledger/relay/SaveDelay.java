// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.route.PendingSave;

/** How long settled positions may wait for others, so that one save writes them together. */
final class SaveDelay {

  /** A quarter of the window is saved at once: waiting for more would hardly avoid a save. */
  private static final int SAVED_AT_ONCE = 4;

  private final long manyMessages;
  private final long delayNanos;
  private long pendingSince;

  SaveDelay(RelayOptions options, long now) {
    this.manyMessages = options.window().messages() / SAVED_AT_ONCE;
    this.delayNanos = options.saveWait().toNanos();
    this.pendingSince = now;
  }

  /** Notes that nothing is pending: the delay starts again. */
  void nothingIsPending(long now) {
    pendingSince = now;
  }

  /** Returns how many nanoseconds the pending positions may still wait. */
  long left(PendingSave pending, long now) {
    return pending.settledCount() >= manyMessages
        ? 0
        : Math.max(0, delayNanos - (now - pendingSince));
  }
}
