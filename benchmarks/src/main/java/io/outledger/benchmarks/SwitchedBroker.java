// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.Arrays;

/**
 * A broker that can be switched off: then it says of every message that it cannot be reached. While
 * it is on it acknowledges at once, and checks that each key's messages come once and in order.
 * Switched by any thread, published to by one.
 */
final class SwitchedBroker implements Publisher {

  private final long[] lastOfKey = new long[WaitingLedger.KEYS];
  private volatile boolean isOn = true;
  private volatile long delivered;
  private volatile long firstAt;
  private volatile long lastAt;
  private volatile long attemptsWhileOff;
  private volatile long outOfOrder;

  void switchTo(boolean on) {
    isOn = on;
  }

  /** Begins to count and to time anew, as for a subscription that starts at the beginning. */
  void reset() {
    Arrays.fill(lastOfKey, 0);
    delivered = 0;
    mark();
  }

  /** Begins to time anew. */
  void mark() {
    firstAt = 0;
    lastAt = 0;
  }

  long delivered() {
    return delivered;
  }

  /** Returns when the first message since the mark was delivered, by the monotonic clock, or 0. */
  long firstAt() {
    return firstAt;
  }

  double secondsFromFirstToLast() {
    return (lastAt - firstAt) / 1e9;
  }

  long attemptsWhileOff() {
    return attemptsWhileOff;
  }

  /** Returns how many messages came again, or after a later one of their key. */
  long outOfOrder() {
    return outOfOrder;
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new PublisherClient() {
      @Override
      public void publish(long position, Message message) {
        outcomes.report(position, answer(position, message));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only the relay's thread writes
  private Outcome answer(long position, Message message) {
    if (!isOn) {
      attemptsWhileOff++;
      return Outcome.unavailable("it is switched off");
    }
    int key = WaitingLedger.keyNumber(message);
    if (lastOfKey[key] >= position) {
      outOfOrder++;
    }
    lastOfKey[key] = position;
    long now = System.nanoTime();
    if (firstAt == 0) {
      firstAt = now;
    }
    lastAt = now;
    delivered++;
    return Outcome.PUBLISHED;
  }
}
