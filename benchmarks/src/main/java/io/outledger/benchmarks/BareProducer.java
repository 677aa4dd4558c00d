// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * What the relay to Kafka is held against: a producer with the publisher's settings that sends
 * records which are there already, and remembers nothing. It reads no database, makes no record and
 * would not know what to send again.
 */
final class BareProducer {

  // The publisher's own, so that nothing but the relay is between the two.
  private static final Map<String, Object> SETTINGS =
      Map.of(
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          true,
          ProducerConfig.ACKS_CONFIG,
          "all",
          ProducerConfig.BATCH_SIZE_CONFIG,
          128 * 1024,
          ProducerConfig.LINGER_MS_CONFIG,
          0,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ByteArraySerializer.class.getName(),
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          ByteArraySerializer.class.getName());

  private final Map<String, Object> settings;
  private final List<ProducerRecord<byte[], byte[]>> records;

  /**
   * Makes one.
   *
   * @param connecting settings that say where the broker is
   * @param records what is sent again and again
   */
  BareProducer(Map<String, Object> connecting, List<ProducerRecord<byte[], byte[]>> records) {
    settings = new HashMap<>(SETTINGS);
    settings.putAll(connecting);
    this.records = records;
  }

  /** Sends this number of records, and returns how many were acknowledged per second. */
  double run(int count) {
    return run(count, 0);
  }

  /**
   * The same to a new topic: the first record of each partition goes alone, as the publisher's do.
   * Many requests at once to a partition of which the broker is just being told may wait for one
   * another for good (KAFKA-15591).
   */
  double runOnNewTopic(int count) {
    return run(count, KafkaPlan.PARTITIONS);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback tells the same
  private double run(int count, int alone) {
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    long start = System.nanoTime();
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      for (int partition = 0; partition < alone; partition++) {
        ProducerRecord<byte[], byte[]> record = records.get(partition % records.size());
        await(producer.send(new ProducerRecord<>(record.topic(), partition, null, record.value())));
      }
      for (int i = alone; i < count; i++) {
        producer.send(
            records.get(i % records.size()),
            (metadata, exception) -> {
              if (exception != null) {
                failure.set(exception);
              }
            });
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (failure.get() != null) {
      throw new IllegalStateException("a record was not acknowledged", failure.get());
    }
    return count / seconds;
  }

  private static void await(Future<RecordMetadata> sent) {
    try {
      sent.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a record was not acknowledged", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
