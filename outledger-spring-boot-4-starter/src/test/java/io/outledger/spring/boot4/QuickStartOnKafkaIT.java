// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.KafkaBroker;
import io.outledger.spring.contract.RunningShop;
import io.outledger.spring.contract.shop.OrderService;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/** The quick start of docs/spring.md, with nothing but the starter: a message on Kafka. */
class QuickStartOnKafkaIT {

  @Test
  void anOrderThatIsPlacedIsAMessageOnKafka() {
    KafkaBroker broker = KafkaBroker.shared();
    broker.createTopic("orders", 1, Map.of());
    try (RunningShop shop =
            RunningShop.start(
                List.of(),
                "spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                "outledger.schema-initialization=always");
        KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(
                Map.of(
                    "bootstrap.servers", broker.bootstrapServers(),
                    "group.id", "test",
                    "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new StringDeserializer())) {
      consumer.subscribe(List.of("orders"));
      shop.bean(OrderService.class).place("o-1", 1990);
      ConsumerRecords<String, String> records = ConsumerRecords.empty();
      for (int tries = 0; records.isEmpty() && tries < 30; tries++) {
        records = consumer.poll(Duration.ofSeconds(1));
      }
      ConsumerRecord<String, String> message = records.iterator().next();
      assertThat(message.key()).isEqualTo("o-1");
      assertThat(message.value()).isEqualTo("{\"orderId\":\"o-1\",\"cents\":1990}");
      assertThat(
              new String(message.headers().lastHeader("ce_type").value(), StandardCharsets.UTF_8))
          .isEqualTo("order.placed");
    }
  }
}
