// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import java.util.concurrent.atomic.AtomicInteger;

/** How many records were handed to Kafka Connect and have not arrived yet. Thread-safe. */
final class Outstanding {

  private final AtomicInteger records = new AtomicInteger();

  /** Notes that records were handed out. */
  void handedOut(int count) {
    records.addAndGet(count);
  }

  /** Notes that one has arrived, or was dropped; returns whether it was the last. */
  boolean arrived() {
    return records.updateAndGet(left -> Math.max(0, left - 1)) == 0;
  }

  /** Returns whether all have arrived. */
  boolean isNone() {
    return records.get() == 0;
  }

  /** Takes it that all have arrived. */
  void settle() {
    records.set(0);
  }
}
