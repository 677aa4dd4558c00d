// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts what is published, how much of it twice, and how much out of its key's order. Numbers
 * above those that are expected are somebody else's.
 */
final class Tally implements Receiver {

  private final int expected;
  private final Runnable first;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger distinct = new AtomicInteger();
  private final AtomicInteger reordered = new AtomicInteger();
  private final AtomicIntegerArray seen;
  private final AtomicIntegerArray highest = new AtomicIntegerArray(NumberedMessage.KEYS);
  private volatile boolean hasLost;
  private final CountDownLatch any = new CountDownLatch(1);
  private final CountDownLatch all = new CountDownLatch(1);

  /**
   * Makes it.
   *
   * @param expected how many messages there are
   * @param first is run when the first one comes
   */
  Tally(int expected, Runnable first) {
    this.expected = expected;
    this.first = first;
    this.seen = new AtomicIntegerArray(expected + 1);
  }

  @Override
  public void receive(int number) {
    if (number == NumberedMessage.LOST.number()) {
      hasLost = true;
      return;
    }
    if (number > expected) {
      return;
    }
    if (calls.getAndIncrement() == 0) {
      first.run();
      any.countDown();
    }
    if (seen.getAndIncrement(number) > 0) {
      return;
    }
    if (highest.getAndAccumulate(NumberedMessage.keyOf(number), number, Math::max) > number) {
      reordered.incrementAndGet();
    }
    if (distinct.incrementAndGet() == expected) {
      all.countDown();
    }
  }

  /** Waits for the first one, and returns false when the time is over before. */
  boolean awaitAny(long millis) throws InterruptedException {
    return any.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Waits for the last one, and returns false when the time is over before. */
  boolean awaitAll(long millis) throws InterruptedException {
    return all.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Whether a message came whose transaction has not committed. */
  boolean hasLost() {
    return hasLost;
  }

  int published() {
    return distinct.get();
  }

  int duplicates() {
    return calls.get() - distinct.get();
  }

  /** Returns how many came after a later one of their key. */
  int reordered() {
    return reordered.get();
  }
}
