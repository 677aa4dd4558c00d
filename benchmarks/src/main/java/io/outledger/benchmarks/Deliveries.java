// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A publisher before another one, which counts and times its outcomes. Thread-safe. */
final class Deliveries implements Publisher {

  private final Publisher publisher;
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile long firstAt;
  private volatile long lastAt;

  Deliveries(Publisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public KeyOrder keyOrder() {
    return publisher.keyOrder();
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return publisher.open(
        deliveryTimeMax,
        (position, outcome) -> {
          note(outcome);
          outcomes.report(position, outcome);
        });
  }

  private void note(Outcome outcome) {
    if (outcome != Outcome.PUBLISHED) {
      failed.incrementAndGet();
      return;
    }
    long now = System.nanoTime();
    if (firstAt == 0) {
      firstAt = now;
    }
    lastAt = now;
    delivered.incrementAndGet();
  }

  /** Restarts the timing. */
  void mark() {
    firstAt = 0;
  }

  long delivered() {
    return delivered.get();
  }

  /** Returns how many attempts failed. */
  long failed() {
    return failed.get();
  }

  /** Returns when the first message since the mark was delivered, by the monotonic clock, or 0. */
  long firstAt() {
    return firstAt;
  }

  /** Returns the same of the last one. */
  long lastAt() {
    return lastAt;
  }

  double secondsFromFirstToLast() {
    return (lastAt - firstAt) / 1e9;
  }
}
