// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.roles.RoleSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The broker's log, read without Outledger. */
final class TopicArrivals {

  private TopicArrivals() {}

  /**
   * A record as it lies there.
   *
   * @param partition the broker's partition
   * @param offset its place there
   * @param atMs when the broker appended it, by the clock that all processes here share
   * @param id the message's id
   */
  record Arrival(String partition, long offset, long atMs, UUID id) {}

  /** Reads the topic from its beginning to its end, a record at a time. */
  static void read(String bootstrapServers, Consumer<Arrival> each) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "enable.auto.commit", false);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(RoleSettings.TOPIC).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
        consumer.poll(Duration.ofSeconds(1)).forEach(record -> each.accept(of(record)));
      }
    }
  }

  private static Arrival of(ConsumerRecord<byte[], byte[]> record) {
    byte[] id = record.headers().lastHeader("ce_id").value();
    return new Arrival(
        record.topic() + "-" + record.partition(),
        record.offset(),
        record.timestamp(),
        UUID.fromString(new String(id, StandardCharsets.UTF_8)));
  }
}
