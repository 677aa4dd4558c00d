// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.KafkaBroker;
import io.outledger.spring.contract.RunningShop;
import io.outledger.spring.contract.shop.OrderService;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/** The quick start of docs/spring.md, with nothing but the starter: a message on Kafka. */
class QuickStartOnKafkaIT {

  @Test
  void anOrderThatIsPlacedIsAMessageOnKafka() {
    ConsumerRecord<String, String> message = placed("orders");
    assertThat(message.key()).isEqualTo("o-1");
    assertThat(message.value()).isEqualTo("{\"orderId\":\"o-1\",\"cents\":1990}");
    assertThat(header(message, "ce_type")).isEqualTo("order.placed");
    assertThat(header(message, "ce_source")).isEqualTo("/outledger");
  }

  @Test
  void theTopicTheSourceAndTheProducersSettingsAreTheApplications() {
    ConsumerRecord<String, String> message =
        placed(
            "eu.orders",
            "outledger.publishers.kafka.kafka.topic=eu.{topic}",
            "outledger.publishers.kafka.source=/shop/eu",
            "outledger.publishers.kafka.kafka.properties.interceptor.classes="
                + Stamp.class.getName());
    assertThat(header(message, "ce_source")).isEqualTo("/shop/eu");
    assertThat(header(message, "stamp")).isEqualTo("eu.orders");
  }

  /** Shows that a setting of the producer is the producer's. */
  public static final class Stamp implements ProducerInterceptor<byte[], byte[]> {

    /** For Kafka. */
    public Stamp() {}

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
      record.headers().add("stamp", record.topic().getBytes(StandardCharsets.UTF_8));
      return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> settings) {}
  }

  private static ConsumerRecord<String, String> placed(String topic, String... properties) {
    KafkaBroker broker = KafkaBroker.shared();
    broker.createTopic(topic, 1, Map.of());
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.kafka.bootstrap-servers=" + broker.bootstrapServers());
    all.add("outledger.schema-initialization=always");
    try (RunningShop shop = RunningShop.start(List.of(), all.toArray(String[]::new));
        KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(
                Map.of(
                    "bootstrap.servers",
                    broker.bootstrapServers(),
                    "group.id",
                    "test of " + topic,
                    "auto.offset.reset",
                    "earliest"),
                new StringDeserializer(),
                new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      shop.bean(OrderService.class).place("o-1", 1990);
      ConsumerRecords<String, String> records = ConsumerRecords.empty();
      for (int tries = 0; records.isEmpty() && tries < 30; tries++) {
        records = consumer.poll(Duration.ofSeconds(1));
      }
      return records.iterator().next();
    }
  }

  private static String header(ConsumerRecord<String, String> message, String name) {
    return new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
