// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a consumer at read_committed finds in a topic. */
final class CommittedRecords {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration QUIET = Duration.ofMillis(500);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

  private final TopicOfRecords topic;

  CommittedRecords(TopicOfRecords topic) {
    this.topic = topic;
  }

  /** Counts them: waits for as many as are expected, and then for more that should not be there. */
  long count(long expected) {
    long found = 0;
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      consumer.seekToBeginning(topic.partitions());
      while (found < expected && System.nanoTime() < deadline) {
        found += counted(consumer, POLL);
      }
      for (long more = counted(consumer, QUIET); more > 0; more = counted(consumer, QUIET)) {
        found += more;
      }
    }
    return found;
  }

  /**
   * Notes when each message that {@link RatedWriter} writes arrives, until it is told to end.
   *
   * @param arrivals each message's number, and when it was there by the machine's clock
   */
  void watch(Map<Integer, Long> arrivals, BooleanSupplier isOver) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      consumer.seekToBeginning(topic.partitions());
      while (!isOver.getAsBoolean()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (record.offset() > 0) {
            int number = ByteBuffer.wrap(record.value()).getInt();
            arrivals.putIfAbsent(number, SharedClock.micros());
          }
        }
      }
    }
  }

  /** Returns where {@link #watch} notes. */
  static Map<Integer, Long> arrivals() {
    return new ConcurrentHashMap<>();
  }

  private static long counted(KafkaConsumer<byte[], byte[]> consumer, Duration wait) {
    long found = 0;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
      found += record.offset() > 0 ? 1 : 0;
    }
    return found;
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            topic.settings(Map.of("isolation.level", "read_committed")),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(topic.partitions());
    return consumer;
  }
}
