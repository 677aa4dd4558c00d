// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/**
 * Customers who place orders over HTTP, a few at a time. They arrive by chance, and spread
 * themselves over the kills that are still to come, so that there is always work to interrupt.
 */
final class Customers implements AutoCloseable {

  private static final int AT_A_TIME = 8;
  private static final double PER_SECOND_MAX = 400;
  private static final long PATIENCE_SECONDS = 60;

  private final int orders;
  private final RandomGenerator random;
  private final ShopClient client;
  private final DoubleSupplier killsSecondsLeft;
  private final ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
  private final Semaphore places = new Semaphore(AT_A_TIME);
  private final CountDownLatch answered;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * Makes them.
   *
   * @param killsSecondsLeft about how long it will take until the last process is killed
   */
  Customers(
      ShopClient client, int orders, RandomGenerator random, DoubleSupplier killsSecondsLeft) {
    this.orders = orders;
    this.random = random;
    this.client = client;
    this.killsSecondsLeft = killsSecondsLeft;
    this.answered = new CountDownLatch(orders);
  }

  void start() {
    Thread arrivals = new Thread(this::arrive, "arrivals");
    arrivals.setDaemon(true);
    arrivals.start();
  }

  /** Waits until each order has its answer; gives up where none comes for a minute. */
  boolean await() throws InterruptedException {
    long before = answered.getCount() + 1;
    while (answered.getCount() < before) {
      before = answered.getCount();
      if (answered.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    stopped.countDown();
    threads.shutdownNow();
  }

  private void arrive() {
    try {
      for (int number = 0; number < orders; number++) {
        if (stopped.await(pauseNanos(orders - number), TimeUnit.NANOSECONDS)) {
          return;
        }
        places.acquire();
        if (stopped.getCount() == 0) {
          return;
        }
        int order = number;
        threads.execute(() -> place(order));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long pauseNanos(int left) {
    double perSecond = Math.min(PER_SECOND_MAX, left / (killsSecondsLeft.getAsDouble() + 1));
    return (long) (1e9 * random.nextExponential() / perSecond);
  }

  private void place(int order) {
    try {
      client.place(order);
      answered.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      places.release();
    }
  }
}
