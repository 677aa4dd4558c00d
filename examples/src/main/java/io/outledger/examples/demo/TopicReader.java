// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer that has nothing to do with the services: reads a topic from its beginning. */
record TopicReader(String bootstrapServers) {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final int TIME_OUT_MS = 20_000;

  /**
   * Reads all that is in a topic now.
   *
   * @throws IllegalArgumentException if there is no such topic
   */
  List<DemoBroker.Arrival> read(String topic) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "enable.auto.commit",
            false,
            "allow.auto.create.topics",
            false,
            "isolation.level",
            "read_committed",
            "default.api.timeout.ms",
            TIME_OUT_MS);
    List<DemoBroker.Arrival> arrivals = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<PartitionInfo> found = consumer.listTopics().get(topic);
      if (found == null) {
        throw new IllegalArgumentException(
            "there is no topic '%s' at %s; there are: %s"
                .formatted(
                    topic,
                    bootstrapServers,
                    String.join(", ", new TreeSet<>(consumer.listTopics().keySet()))));
      }
      List<TopicPartition> partitions =
          found.stream().map(info -> new TopicPartition(topic, info.partition())).toList();
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(POLL).forEach(record -> arrivals.add(arrival(record)));
      }
    }
    return arrivals;
  }

  private static DemoBroker.Arrival arrival(ConsumerRecord<byte[], byte[]> record) {
    UUID id = UUID.fromString(new String(record.headers().lastHeader("ce_id").value(), UTF_8));
    return new DemoBroker.Arrival(
        record.topic() + "-" + record.partition(),
        record.offset(),
        id,
        new String(record.key(), UTF_8),
        record.value());
  }
}
