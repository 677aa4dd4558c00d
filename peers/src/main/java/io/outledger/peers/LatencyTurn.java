// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.servers.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One application writes messages at a steady rate, each at any moment of its share of a second,
 * and publishes them: how long from the return of the commit to the publisher?
 */
final class LatencyTurn implements Receiver {

  private static final int WRITERS = 8;
  private static final int WARM_UP_SECONDS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final int perSecond;
  private final int count;
  private final int warmUp;
  private final AtomicLongArray committed;
  private final AtomicLongArray arrived;
  private final AtomicInteger arrivals = new AtomicInteger();

  LatencyTurn(int perSecond, int seconds) {
    this.perSecond = perSecond;
    this.warmUp = WARM_UP_SECONDS * perSecond;
    this.count = warmUp + seconds * perSecond;
    this.committed = new AtomicLongArray(count + 1);
    this.arrived = new AtomicLongArray(count + 1);
  }

  /** Whoever times what arrives just now. */
  private static final class CurrentTurn implements Receiver {

    private volatile Receiver receiver = number -> {};

    @Override
    public void receive(int number) {
      receiver.receive(number);
    }
  }

  /** Opens an application, and times it at each rate, one after the other. */
  static Reply run(Contender contender, String jdbcUrl, int seconds) throws Exception {
    CurrentTurn current = new CurrentTurn();
    Site site = new Site(jdbcUrl, true, current, CommitClock::watch);
    Reply reply = new Reply();
    try (Application application = contender.open(site)) {
      Business business = PlacedOrder.in(site.dataSource());
      application.start();
      for (int rate : LatencyTable.RATES) {
        LatencyTurn turn = new LatencyTurn(rate, seconds);
        current.receiver = turn;
        turn.run(application, business).addTo(reply, rate);
      }
    }
    return reply;
  }

  private Latency run(Application application, Business business) throws Exception {
    // Until its publishing runs at all, nothing is timed.
    committed.set(0, System.nanoTime());
    application.commit(business, List.of(new NumberedMessage(0)));
    Await.until("the first message arrives", PATIENCE, () -> arrived.get(0) != 0);
    write(application, business);
    return measured();
  }

  @Override
  public void receive(int number) {
    // What comes again from before is not of this turn.
    if (committed.get(0) != 0 && arrived.compareAndSet(number, 0, System.nanoTime())) {
      arrivals.incrementAndGet();
    }
  }

  private void write(Application application, Business business) throws Exception {
    ScheduledExecutorService writers = Executors.newScheduledThreadPool(WRITERS);
    try {
      SplittableRandom moments = new SplittableRandom(1);
      long period = 1_000_000_000L / perSecond;
      List<ScheduledFuture<?>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        NumberedMessage message = new NumberedMessage(i + 1);
        all.add(
            writers.schedule(
                () -> commit(application, business, message),
                i * period + moments.nextLong(period),
                TimeUnit.NANOSECONDS));
      }
      for (ScheduledFuture<?> one : all) {
        one.get();
      }
    } finally {
      Background.close(writers);
    }
  }

  private Void commit(Application application, Business business, NumberedMessage message)
      throws Exception {
    CommitClock.arm();
    application.commit(business, List.of(message));
    committed.set(message.number(), CommitClock.takeNanos());
    return null;
  }

  /** What has not arrived after some patience has taken at least so long. */
  private Latency measured() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    awaitArrivals(end);
    long now = System.nanoTime();
    int missing = 0;
    double[] millis = new double[count - warmUp];
    for (int number = warmUp + 1; number <= count; number++) {
      long at = arrived.get(number);
      missing += at == 0 ? 1 : 0;
      long nanos = (at == 0 ? now : at) - committed.get(number);
      // A hand-over within the commit's own thread may come before its return was noted.
      millis[number - warmUp - 1] = Math.max(0, nanos) / 1e6;
    }
    Arrays.sort(millis);
    return new Latency(millis[millis.length / 2], millis[(int) (millis.length * 0.99)], missing);
  }

  private void awaitArrivals(long end) {
    Await.until(
        "all arrive, or patience ends",
        PATIENCE.plusSeconds(5),
        () -> arrivals.get() > count || System.nanoTime() - end > 0);
  }
}
