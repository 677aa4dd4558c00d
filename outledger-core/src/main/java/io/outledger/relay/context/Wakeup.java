// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.concurrent.Semaphore;

/** Wakes a relay that waits for something to do. Thread-safe. */
public final class Wakeup {

  private final Semaphore signal = new Semaphore(0);

  /** Makes one that has not been signalled. */
  public Wakeup() {}

  /** Ends the current wait, or the next one where there is none. Cheap; it never blocks. */
  public void signal() {
    if (signal.availablePermits() == 0) {
      signal.release();
    }
  }

  /**
   * Waits until signalled, but not for longer than the given time.
   *
   * @return whether it was signalled
   * @throws InterruptedException if the thread was interrupted
   */
  public boolean await(Duration atMost) throws InterruptedException {
    boolean signalled = signal.tryAcquire(NANOSECONDS.convert(atMost), NANOSECONDS);
    // A signal between these two ends this wait, and nobody is told of it later.
    return signal.drainPermits() > 0 || signalled;
  }
}
