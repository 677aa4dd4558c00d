// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.Arrival;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One queue in memory: the oldest open consumer receives, all others wait. Thread-safe. */
final class MemoryBroker {

  private static final int BATCH_MAX = 20;
  private static final long LOOK_MS = 10;

  private final List<Arrival<Integer>> arrivals = new ArrayList<>();
  private final List<MemoryConsumer> consumers = new ArrayList<>();
  private int acknowledged;
  private boolean isAway;

  synchronized void add(Message message) {
    add(Received.of("/shop", message), null);
  }

  synchronized void addForeign() {
    String problem = "delivery " + arrivals.size() + " is not a CloudEvent";
    add(null, new InvalidMessageException(ErrorCode.INVALID_MESSAGE, problem));
  }

  private void add(@Nullable Received message, @Nullable InvalidMessageException problem) {
    arrivals.add(new Arrival<>(arrivals.size(), 1, message, problem));
    notifyAll();
  }

  synchronized void connect(MemoryConsumer consumer) {
    if (isAway) {
      throw unavailable();
    }
    consumers.add(consumer);
  }

  synchronized void disconnect(MemoryConsumer consumer) {
    consumers.remove(consumer);
    notifyAll();
  }

  /** Returns how many deliveries from the start are acknowledged. */
  synchronized int acknowledged() {
    return acknowledged;
  }

  /**
   * Returns what comes next, once a consumer is the first.
   *
   * @param from the place to go on at; negative for what is not acknowledged
   */
  synchronized List<Arrival<Integer>> next(MemoryConsumer consumer, int from, long patienceMs)
      throws InterruptedException {
    for (long left = patienceMs; left > 0 && !has(consumer, from); left -= LOOK_MS) {
      wait(LOOK_MS);
    }
    if (!has(consumer, from)) {
      return List.of();
    }
    int start = from < 0 ? acknowledged : from;
    return List.copyOf(arrivals.subList(start, Math.min(arrivals.size(), start + BATCH_MAX)));
  }

  private boolean has(MemoryConsumer consumer, int from) {
    check(consumer);
    return consumers.get(0).equals(consumer) && (from < 0 ? acknowledged : from) < arrivals.size();
  }

  synchronized void acknowledge(MemoryConsumer consumer, int place) {
    check(consumer);
    if (place != acknowledged) {
      throw new IllegalStateException("place " + acknowledged + " is next, and not " + place);
    }
    acknowledged = place + 1;
  }

  private void check(MemoryConsumer consumer) {
    if (!consumers.contains(consumer)) {
      throw unavailable();
    }
  }

  private static DestinationUnavailableException unavailable() {
    return new DestinationUnavailableException("the broker in memory was taken away", null);
  }

  synchronized void takeAway() {
    isAway = true;
    consumers.clear();
    notifyAll();
  }

  synchronized void bringBack() {
    isAway = false;
  }
}
