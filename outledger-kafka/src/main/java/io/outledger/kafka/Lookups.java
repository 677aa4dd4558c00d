// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Kafka for topics, a bounded number at once, on threads that end when idle; they also hand
 * over what waited.
 */
final class Lookups {

  private static final Logger LOG = LoggerFactory.getLogger(Lookups.class);
  private static final int AT_ONCE_MAX = 16;

  private final Producer<byte[], byte[]> producer;
  private final KafkaPublisherClient client;
  private final TopicRules rules;
  private final Semaphore room = new Semaphore(AT_ONCE_MAX);
  private final ExecutorService threads = threads();

  Lookups(Producer<byte[], byte[]> producer, KafkaPublisherClient client, TopicRules rules) {
    this.producer = producer;
    this.client = client;
    this.rules = rules;
  }

  private static ExecutorService threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            AT_ONCE_MAX + 1, // one is always left for what only hands messages over
            AT_ONCE_MAX + 1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "outledger-kafka-topic");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  long nanoTime() {
    return rules.time().nanoTime();
  }

  /**
   * Starts to look a topic up, and waits for room to do so for as long as a look-up may take.
   *
   * @return false where there is no room even then
   */
  boolean start(Topic topic) {
    try {
      if (!room.tryAcquire(rules.times().blockMs(), TimeUnit.MILLISECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    threads.execute(() -> lookUp(topic));
    return true;
  }

  private void lookUp(Topic topic) {
    int answers = client.answers();
    try {
      topic.found(producer.partitionsFor(topic.name()).size());
    } catch (RuntimeException e) {
      topic.refused(client.unknown(topic, e, answers));
    } finally {
      room.release();
    }
  }

  /** Runs something that may have to wait, which the producer's own thread must not. */
  void run(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("the client is closed, and tells the outcome of what waits");
    }
  }

  /** Stops looking; what waits is left to the client's own end. */
  void stop() {
    threads.shutdownNow();
  }
}
