// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.servers.KafkaBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Other senders of a topic, and whoever joins two topics by key, count on Kafka's own choice. */
final class PartitionOfAKeyIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static final String OURS = "keys-of-ours";
  private static final String THEIRS = "keys-of-theirs";
  private static final List<String> KEYS =
      IntStream.range(0, 100).mapToObj(number -> "schlüssel-" + number).toList();

  @Test
  void isTheOneWhereAnyOtherClientOfKafkaPutsIt() throws Exception {
    KAFKA.createTopic(OURS, 7, Map.of());
    KAFKA.createTopic(THEIRS, 7, Map.of());
    publish();
    send();
    assertThat(partitions(OURS)).hasSize(KEYS.size()).isEqualTo(partitions(THEIRS));
  }

  private static void publish() {
    ReportedOutcomes outcomes = new ReportedOutcomes();
    Map<String, Object> settings = Map.of("bootstrap.servers", KAFKA.bootstrapServers());
    try (PublisherClient client =
        KafkaPublisher.with(settings).open(Duration.ofMinutes(1), outcomes)) {
      for (int i = 0; i < KEYS.size(); i++) {
        client.publish(i, 1, Message.to(OURS, "t").key(KEYS.get(i)).build());
      }
      assertThat(outcomes.awaitAll(0, KEYS.size() - 1)).containsOnly(Outcome.PUBLISHED);
    }
  }

  private static void send() throws Exception {
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Map.of("bootstrap.servers", KAFKA.bootstrapServers()), bytes, bytes)) {
      for (String key : KEYS) {
        producer.send(new ProducerRecord<>(THEIRS, key.getBytes(UTF_8), new byte[0])).get();
      }
    }
  }

  private static Map<String, Integer> partitions(String topic) {
    Map<String, Integer> partitions = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : TopicRecords.of(KAFKA.bootstrapServers(), topic)) {
      partitions.put(new String(record.key(), UTF_8), record.partition());
    }
    return partitions;
  }
}
