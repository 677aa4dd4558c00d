// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The retentions of one {@link Outledger}: those that were asked for, or else one by default from
 * when a relay is started. What starts them holds the {@link OpenState}, so nothing starts after a
 * close.
 */
final class OpenRetentions implements AutoCloseable {

  private final OpenState openState;
  private final List<RunningRetention> running = new ArrayList<>();
  private boolean isChosen;

  OpenRetentions(OpenState openState, boolean byDefault) {
    this.openState = openState;
    this.isChosen = !byDefault;
  }

  /** Starts one that was asked for; the one that runs by default ends. */
  RunningRetention choose(Supplier<RunningRetention> start) {
    return openState.start(
        "start a retention",
        () -> {
          if (!isChosen) {
            close();
            isChosen = true;
          }
          return add(start);
        });
  }

  /** Starts the default, unless it runs, or another was asked for, or it was switched off. */
  void startDefault(Supplier<RunningRetention> start) {
    openState.start("start a retention", () -> isChosen || !running.isEmpty() ? this : add(start));
  }

  /** Checks that nothing was closed; see {@link OpenState#require}. */
  void require(String doing) {
    openState.require(doing);
  }

  private RunningRetention add(Supplier<RunningRetention> start) {
    RunningRetention one = start.get();
    running.add(one);
    return one;
  }

  @Override
  public void close() {
    running.forEach(RunningRetention::close);
    running.clear();
  }
}
