// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads what is in a topic, as an observer that knows nothing of Outledger. */
final class TopicRecords {

  private TopicRecords() {}

  /** Returns everything that is in a topic now, each partition in order. */
  static List<ConsumerRecord<byte[], byte[]>> of(String bootstrapServers, String topic) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "max.partition.fetch.bytes", 8_000_000);
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  /** Returns the payloads of a topic as text. */
  static List<String> texts(String bootstrapServers, String topic) {
    return of(bootstrapServers, topic).stream().map(r -> new String(r.value(), UTF_8)).toList();
  }

  /** Checks that the texts {@code k0 1}, {@code k1 2} … of five keys rise in each of them. */
  static void assertKeysInOrder(String bootstrapServers, String topic) {
    List<String> arrived = texts(bootstrapServers, topic);
    for (int key = 0; key < 5; key++) {
      String start = "k" + key + " ";
      assertThat(
              arrived.stream()
                  .filter(text -> text.startsWith(start))
                  .map(text -> Integer.valueOf(text.substring(start.length()))))
          .isSorted();
    }
  }

  /** Returns a header's value as text; null where the record has none of the name. */
  static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }
}
