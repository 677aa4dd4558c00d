// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What carries out operators' requests in one {@link Outledger}: it runs from when a relay or a
 * receiver is started. What starts it holds the {@link OpenState}, so it does not start after a
 * close.
 */
final class OpenRequests implements AutoCloseable {

  private final OpenState openState;
  private @Nullable RunningRequests running;

  OpenRequests(OpenState openState) {
    this.openState = openState;
  }

  /** Starts it, unless it runs. */
  void start(Supplier<RunningRequests> start) {
    openState.start(
        "carry out requests",
        () -> {
          RunningRequests before = running;
          RunningRequests now = before == null ? start.get() : before;
          running = now;
          return now;
        });
  }

  @Override
  public void close() {
    RunningRequests now = running;
    if (now != null) {
      now.close();
    }
    running = null;
  }
}
