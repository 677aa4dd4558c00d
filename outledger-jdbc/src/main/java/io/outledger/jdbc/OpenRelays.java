// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The relays that run in this process, to be woken after a commit and stopped at the end. */
final class OpenRelays implements AutoCloseable {

  private final List<RunningRelay> running = new CopyOnWriteArrayList<>();

  void add(RunningRelay relay) {
    running.removeIf(old -> old.state() == StepReport.State.RELEASED);
    running.add(relay);
  }

  void wake() {
    running.forEach(RunningRelay::wake);
  }

  @Override
  public void close() {
    RunningRelay.closeAll(running);
    running.clear();
  }
}
