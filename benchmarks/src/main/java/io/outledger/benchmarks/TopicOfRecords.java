// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.KafkaProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic of its own for one turn, so that no turn finds another's log. */
final class TopicOfRecords implements AutoCloseable {

  /** Where the bare producer's records go. */
  static final String BARE = "bare";

  /** The header in which the publisher tells a message's position in the ledger. */
  private static final String POSITION = "ce_sequence";

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final KafkaProcess broker;
  private final String name;

  private TopicOfRecords(KafkaProcess broker, String name) {
    this.broker = broker;
    this.name = name;
  }

  /**
   * Creates it with a record in each partition. Many requests at once to a partition of which the
   * broker is just being told may lose their order for good (KAFKA-15591); the publisher sees to
   * that by itself, and the bare producer does not.
   */
  static TopicOfRecords create(KafkaProcess broker, String name) throws InterruptedException {
    broker.createTopic(name, KafkaPlan.PARTITIONS, Map.of());
    TopicOfRecords topic = new TopicOfRecords(broker, name);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            topic.settings(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (TopicPartition partition : topic.partitions()) {
        producer.send(new ProducerRecord<>(name, partition.partition(), null, new byte[0])).get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("topic " + name + " takes no records", e);
    }
    return topic;
  }

  String name() {
    return name;
  }

  /** Returns settings of a client with the broker's address among them. */
  Map<String, Object> settings(Map<String, Object> others) {
    Map<String, Object> settings = new HashMap<>(others);
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
    return settings;
  }

  /** Says how many records have come since it was created. */
  long count() throws InterruptedException {
    Map<TopicPartition, OffsetSpec> ends =
        partitions().stream().collect(Collectors.toMap(all -> all, all -> OffsetSpec.latest()));
    try (Admin admin = Admin.create(settings(Map.of()))) {
      return admin.listOffsets(ends).all().get().values().stream()
          .mapToLong(end -> end.offset() - 1)
          .sum();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the records cannot be counted", e);
    }
  }

  /** Reads records, as many or fewer, and makes them ready for the bare producer. */
  List<ProducerRecord<byte[], byte[]>> sample(int count) throws InterruptedException {
    List<ProducerRecord<byte[], byte[]>> sample = new ArrayList<>(count);
    long wanted = Math.min(count, count());
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      consumer.assign(partitions());
      consumer.seekToBeginning(partitions());
      while (sample.size() < wanted) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(PATIENCE)) {
          if (record.offset() > 0 && sample.size() < wanted) {
            sample.add(copy(record));
          }
        }
      }
    }
    return sample;
  }

  /** Reads all records, each key's in the order in which Kafka keeps them. */
  Broker.Came came() throws InterruptedException {
    KeyOrderCheck check = new KeyOrderCheck();
    long left = count();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      consumer.assign(partitions());
      consumer.seekToBeginning(partitions());
      while (left > 0) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(PATIENCE)) {
          if (record.offset() > 0) {
            check.take(WaitingLedger.keyNumber(text(record.key())), position(record));
            left--;
          }
        }
      }
    }
    return check.came();
  }

  private static long position(ConsumerRecord<byte[], byte[]> record) {
    return Long.parseLong(text(record.headers().lastHeader(POSITION).value()));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  private static ProducerRecord<byte[], byte[]> copy(ConsumerRecord<byte[], byte[]> record) {
    return new ProducerRecord<>(BARE, null, record.key(), record.value(), record.headers());
  }

  List<TopicPartition> partitions() {
    return IntStream.range(0, KafkaPlan.PARTITIONS)
        .mapToObj(number -> new TopicPartition(name, number))
        .toList();
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        settings(Map.of()), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public void close() {
    broker.deleteTopic(name);
  }
}
