// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.relay.context.Wakeup;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A handler that waits for something, as one that calls a service does. Thread-safe. */
final class SlowHandler {

  private final Duration each;
  private final Set<String> busyKeys = ConcurrentHashMap.newKeySet();
  private final AtomicLong handled = new AtomicLong();
  private final AtomicInteger now = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private volatile boolean hurries;

  SlowHandler(Duration each) {
    this.each = each;
  }

  void handle(Message message) throws InterruptedException {
    String key = Objects.requireNonNull(message.key(), "every message here has a key");
    if (!busyKeys.add(key)) {
      throw new IllegalStateException("two messages of key " + key + " at a time");
    }
    most.accumulateAndGet(now.incrementAndGet(), Math::max);
    if (!hurries) {
      new Wakeup().await(each);
    }
    now.decrementAndGet();
    busyKeys.remove(key);
    handled.incrementAndGet();
  }

  /** Lets what is left take no time, so that the relay can hand over at once. */
  void hurry() {
    hurries = true;
  }

  long handled() {
    return handled.get();
  }

  /** Returns how many messages were handled at the same time at most. */
  int most() {
    return most.get();
  }
}
