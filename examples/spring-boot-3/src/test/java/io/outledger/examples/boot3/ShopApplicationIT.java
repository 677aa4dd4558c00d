// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** An order that is placed is a message on Kafka, with the client that Spring Boot 3.5 brings. */
class ShopApplicationIT {

  @Test
  void anOrderThatIsPlacedIsAMessageOnKafka() throws Exception {
    assertThat(AppInfoParser.getVersion()).startsWith("3.9.");
    Postgres server = Postgres.shared();
    try (KafkaProcess broker = broker();
        ConfigurableApplicationContext shop =
            SpringApplication.run(
                ShopApplication.class,
                "--spring.datasource.url=" + server.jdbcUrl(server.createDatabase()),
                "--spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                "--spring.sql.init.mode=always")) {
      shop.getBean(OrderService.class).place("o-1", 1990);

      ConsumerRecord<String, String> message = first("orders", broker);
      assertThat(message.key()).isEqualTo("o-1");
      assertThat(message.value()).isEqualTo("{\"orderId\":\"o-1\",\"cents\":1990}");
      assertThat(message.headers().lastHeader("ce_type").value())
          .asString()
          .isEqualTo("order.placed");
    }
  }

  /** Its version is not the client's, so it runs in a JVM of its own. */
  static KafkaProcess broker() {
    KafkaProcess broker = KafkaProcess.startApart();
    broker.createTopic("orders", 1, Map.of());
    return broker;
  }

  private static ConsumerRecord<String, String> first(String topic, KafkaProcess broker) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "auto.offset.reset", "earliest");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(new TopicPartition(topic, 0)));
      ConsumerRecords<String, String> records = ConsumerRecords.empty();
      for (int tries = 0; records.isEmpty() && tries < 30; tries++) {
        records = consumer.poll(Duration.ofSeconds(1));
      }
      return records.iterator().next();
    }
  }
}
