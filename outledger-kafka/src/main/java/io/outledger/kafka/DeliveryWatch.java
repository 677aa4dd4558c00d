// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a client whose oldest message has no outcome when its time is nearly over. Kafka's producer
 * keeps its own delivery time-out, but not while it waits for its producer id: a broker that falls
 * silent just then would leave every message without an outcome forever.
 */
final class DeliveryWatch {

  private static final Logger LOG = LoggerFactory.getLogger(DeliveryWatch.class);
  private static final int LOOKS_PER_DELIVERY = 16;

  private final Iterable<Delivery> outstanding;
  private final TopicRules rules;
  private final Runnable end;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DeliveryWatch::daemon);

  /**
   * Makes a watch.
   *
   * @param outstanding the deliveries, oldest first, with or without an outcome
   * @param rules the time, and how much of it a delivery has
   * @param end ends the client, which tells every message's outcome
   */
  DeliveryWatch(Iterable<Delivery> outstanding, TopicRules rules, Runnable end) {
    this.outstanding = outstanding;
    this.rules = rules;
    this.end = end;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-kafka-watch");
    thread.setDaemon(true);
    return thread;
  }

  @SuppressWarnings(
      "FutureReturnValueIgnored") // it never ends by itself, and look() throws nothing
  void start() {
    long periodMicros =
        TimeUnit.MILLISECONDS.toMicros(rules.times().totalMs()) / LOOKS_PER_DELIVERY;
    thread.scheduleWithFixedDelay(this::look, periodMicros, periodMicros, TimeUnit.MICROSECONDS);
  }

  void stop() {
    thread.shutdownNow();
  }

  private void look() {
    try {
      lookAtOldest();
    } catch (RuntimeException e) {
      LOG.error("could not close the Kafka client in time", Printable.trace(e));
    }
  }

  /** Two looks before the end of its time: one may come late, and the end itself takes a little. */
  private void lookAtOldest() {
    for (Delivery oldest : outstanding) {
      if (!oldest.isReported()) {
        if (rules.time().nanoTime() - oldest.started() >= timeMax()) {
          LOG.warn(
              "Kafka reported no outcome for a message within nearly its whole delivery timeout;"
                  + " closing the client");
          end.run();
        }
        return;
      }
    }
  }

  private long timeMax() {
    Duration all = Duration.ofMillis(rules.times().totalMs());
    return all.multipliedBy(LOOKS_PER_DELIVERY - 2).dividedBy(LOOKS_PER_DELIVERY).toNanos();
  }
}
