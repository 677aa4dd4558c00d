// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.outledger.relay.context.RelayContext;
import java.time.Duration;

/** Steps a relay until nothing is pending. */
final class Drain {

  private final Relay relay;
  private final RelayContext context;
  private long published;
  private long filtered;

  Drain(Relay relay, RelayContext context) {
    this.relay = relay;
    this.context = context;
  }

  DrainReport run(Duration atMost) throws InterruptedException {
    relay.rejoin();
    long start = context.time().nanoTime();
    long nanosMax = NANOSECONDS.convert(atMost);
    StepReport last = afterDeadOwner(step(), start, nanosMax);
    while (goesOn(last) && context.time().nanoTime() - start < nanosMax) {
      if (!last.nextIn().isZero()) {
        context.wakeup().await(last.nextIn());
      }
      last = step();
    }
    relay.handOver();
    while (last.state() == StepReport.State.OWNER && context.time().nanoTime() - start < nanosMax) {
      context.wakeup().await(Duration.ofMillis(1));
      last = step();
    }
    return new DrainReport(last.state(), published, filtered, last.pending());
  }

  /**
   * Waits until the lease of a killed owner has expired, because no other relay may be running.
   * Stops waiting if the clock stands still, as it may in a test.
   */
  private StepReport afterDeadOwner(StepReport first, long start, long nanosMax)
      throws InterruptedException {
    StepReport last = first;
    boolean timePasses = true;
    while (timePasses && ownerMayBeDead(last) && context.time().nanoTime() - start < nanosMax) {
      long before = context.time().nanoTime();
      context.wakeup().await(last.nextIn());
      last = step();
      timePasses = context.time().nanoTime() != before;
    }
    return last;
  }

  private StepReport step() {
    StepReport report = relay.step();
    published += report.published();
    filtered += report.filtered();
    return report;
  }

  private boolean ownerMayBeDead(StepReport last) {
    return last.state() == StepReport.State.STANDBY && !relay.seesOwnerAtWork();
  }

  private boolean goesOn(StepReport last) {
    boolean idle = last.pending() == 0 && !last.nextIn().isZero() && !relay.isTryingRows();
    return last.state() == StepReport.State.OWNER && !idle && !relay.isDown();
  }
}
