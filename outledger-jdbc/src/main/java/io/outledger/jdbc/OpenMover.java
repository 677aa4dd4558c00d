// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Delivery;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What moves scheduled messages in one {@link Outledger}: it runs from when a relay or a receiver
 * is started. What starts it holds the {@link OpenState}, so it does not start after a close.
 */
final class OpenMover implements AutoCloseable {

  private final OpenState openState;
  private volatile @Nullable RunningMover running;

  OpenMover(OpenState openState) {
    this.openState = openState;
  }

  /** Starts it, unless it runs. */
  void start(Supplier<RunningMover> start) {
    openState.start(
        "move scheduled messages",
        () -> {
          RunningMover before = running;
          RunningMover now = before == null ? start.get() : before;
          running = now;
          return now;
        });
  }

  /** Tells it that a message was scheduled, where it runs; another process's finds it by itself. */
  void wake(Delivery when) {
    RunningMover now = running;
    if (now != null) {
      now.scheduled(when);
    }
  }

  @Override
  public void close() {
    RunningMover now = running;
    if (now != null) {
      now.close();
    }
    running = null;
  }
}
