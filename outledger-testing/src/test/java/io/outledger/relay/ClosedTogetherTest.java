// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.RecordingPublisher;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relays that are closed together wait at the same time, not one after the other. */
@Timeout(60)
class ClosedTogetherTest {

  private static final TimeSource TIME = TimeSource.system();

  private final InMemoryLedger ledger = new InMemoryLedger(TIME);

  @Test
  void theLastRelayIsToldToStopBeforeTheFirstHasStopped() throws InterruptedException {
    RecordingPublisher slow = new RecordingPublisher();
    slow.holdOutcomes();
    CountDownLatch second = new CountDownLatch(1);
    CountDownLatch settled = new CountDownLatch(1);
    RunningRelay first =
        start(
            "first",
            slow,
            event -> {
              if (event instanceof RelayEvent.LeaseReleased) {
                settled.countDown();
              }
            });
    RunningRelay last =
        start(
            "last",
            new RecordingPublisher(),
            event -> {
              if (event instanceof RelayEvent.LeaseTaken) {
                second.countDown();
              } else if (event instanceof RelayEvent.LeaseReleased) {
                slow.releaseOutcomes(); // the first waits for this, for up to an hour
              }
            });
    second.await();
    ledger.inNewTransaction(RelayBench.message("a", 1));
    while (slow.arrivals().isEmpty()) {
      Thread.onSpinWait();
    }
    RunningRelay.closeAll(List.of(first, last));
    assertThat(settled.getCount()).as("the first relay settled what was in flight").isZero();
    assertThat(first.state()).isEqualTo(StepReport.State.RELEASED);
    assertThat(last.state()).isEqualTo(StepReport.State.RELEASED);
  }

  @Test
  void noneIsFine() {
    RunningRelay.closeAll(List.of());
  }

  private RunningRelay start(String name, RecordingPublisher publisher, RelayListener listener) {
    Relay relay =
        new Relay(
            ledger.relayStore(name, Start.EARLIEST),
            List.of(Route.only(publisher)),
            RelayOptions.defaults(),
            listener,
            new Relay.Surroundings(TIME, new Random(1)));
    RunningRelay running = RunningRelay.start(relay, name, TIME, Duration.ofHours(1));
    ledger.onCommit(running::wake);
    return running;
  }
}
