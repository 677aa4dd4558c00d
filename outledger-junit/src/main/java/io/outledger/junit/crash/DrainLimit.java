// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import io.outledger.relay.DrainReport;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import org.jspecify.annotations.Nullable;

/**
 * Ends the drain of a relay whose handlers append without end. Its time would not: the clock of a
 * crash test stands still. For the relay's thread.
 */
final class DrainLimit implements RelayListener {

  /** More than the flow of a crash test has steps, as each is repeated for all of them. */
  private static final int MESSAGES_MAX = 1_000;

  private @Nullable Relay relay;
  private long published;

  /** Says which relay to end. */
  void ends(Relay value) {
    relay = value;
  }

  @Override
  public void on(RelayEvent event) {
    if (event instanceof RelayEvent.Saved saved) {
      published += saved.published();
      Relay current = relay;
      if (published > MESSAGES_MAX && current != null) {
        current.handOver();
      }
    }
  }

  /**
   * Fails the test where the limit was reached.
   *
   * @throws AssertionError where it was
   */
  void check() {
    if (published > MESSAGES_MAX) {
      throw endless();
    }
  }

  /**
   * Fails the test where even the last of many rounds has published something.
   *
   * @throws AssertionError where it has
   */
  void checkProgress(DrainReport last) {
    if (last.state() == StepReport.State.RELEASED && last.published() > 0) {
      throw endless();
    }
  }

  private AssertionError endless() {
    return new AssertionError(
        "Handlers append without end: "
            + published
            + " messages were published, and each leads to another");
  }
}
