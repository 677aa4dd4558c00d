// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.fault.Fault;
import io.outledger.chaos.fault.Incident;
import io.outledger.chaos.shop.Shop;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One line that says how the run goes, twice a second on a terminal. Thread-safe: the run tells it
 * what happens, and a thread of its own looks at the database.
 */
final class LiveView implements ChaosRun.Watcher {

  private static final long EVERY_MS = 500;

  private final Screen screen;
  private final long beganNanos = System.nanoTime();
  private final CountDownLatch ending = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile String last = "starting";
  private final AtomicInteger faults = new AtomicInteger();

  LiveView(Screen screen) {
    this.screen = screen;
  }

  /** Shows itself from now on. */
  void start(Shop shop) {
    Thread thread = new Thread(() -> show(new Tally(shop)), "live-view");
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends that, once what is shown is gone. */
  void end() throws InterruptedException {
    ending.countDown();
    ended.await();
  }

  @Override
  public void begins(Fault fault) {
    last = fault.word() + " …";
  }

  @Override
  public void happened(Incident incident) {
    faults.incrementAndGet();
    last =
        "%s %s (%d in flight)"
            .formatted(incident.fault().word(), incident.victim().name(), incident.inFlight());
  }

  @Override
  public void says(String what) {
    last = what;
  }

  private void show(Tally tally) {
    try (tally) {
      while (!ending.await(EVERY_MS, TimeUnit.MILLISECONDS)) {
        screen.progress(() -> line(tally));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      screen.endProgress();
      ended.countDown();
    }
  }

  private String line(Tally tally) {
    tally.look();
    long seconds = (System.nanoTime() - beganNanos) / 1_000_000_000L;
    return "  %d:%02d  %,d committed · %,d published · %,d waiting · %d faults · %s"
        .formatted(
            seconds / 60,
            seconds % 60,
            tally.committed(),
            tally.committed() - tally.waiting(),
            tally.waiting(),
            faults.get(),
            last);
  }
}
