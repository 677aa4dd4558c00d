// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Sends and reads records of partition 0. */
record KafkaRecords(String bootstrapServers, String topic) {
  void send(String value) throws Exception {
    try (KafkaProducer<String, String> producer = producer()) {
      producer.send(new ProducerRecord<>(topic, value)).get();
    }
  }

  KafkaProducer<String, String> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", bootstrapServers, "acks", "all", "max.block.ms", "20000"),
        new StringSerializer(),
        new StringSerializer());
  }

  List<String> read(int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringDeserializer(),
            new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      List<String> values = new ArrayList<>();
      Await.until(
          count + " records are read",
          Duration.ofSeconds(20),
          () -> {
            consumer.poll(Duration.ofMillis(100)).forEach(read -> values.add(read.value()));
            return values.size() >= count;
          });
      return values;
    }
  }
}
