// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.modulith21;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.KafkaProcess;
import io.outledger.spring.contract.RunningShop;
import io.outledger.spring.contract.depot.CrateSent;
import io.outledger.spring.contract.depot.CrateService;
import io.outledger.spring.contract.depot.DepotApplication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/**
 * What Spring Modulith externalises arrives on Kafka, with nothing but the starter and the bridge:
 * as Modulith routes it, in the order of its key, and once.
 */
class ModulithOnKafka21IT {

  @Test
  void externalisedEventsArriveAsModulithRoutesThem() {
    try (KafkaProcess broker = KafkaProcess.startApart()) {
      broker.createTopic("crates-sent", 3, Map.of());
      broker.createTopic("crates", 1, Map.of()); // for what a module announces in turn
      arrive(broker);
    }
  }

  private static void arrive(KafkaProcess broker) {
    try (RunningShop depot =
            RunningShop.of(
                DepotApplication.class,
                "spring.jpa.hibernate.ddl-auto=create",
                "spring.modulith.events.jdbc.schema-initialization.enabled=true",
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
      consumer.subscribe(List.of("crates-sent"));
      for (String crate : List.of("c-1", "c-2", "c-3")) {
        depot.bean(CrateService.class).publish(new CrateSent(crate));
      }
      List<ConsumerRecord<String, String>> records = new ArrayList<>();
      for (int tries = 0; records.size() < 3 && tries < 30; tries++) {
        consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
      }
      consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
      assertThat(records)
          .extracting(ConsumerRecord::key)
          .containsExactlyInAnyOrder("c-1", "c-2", "c-3");
      assertThat(records).allSatisfy(ModulithOnKafka21IT::isWhole);
    }
  }

  private static void isWhole(ConsumerRecord<String, String> arrived) {
    assertThat(arrived.value()).isEqualTo("{\"id\":\"" + arrived.key() + "\"}");
    assertThat(new String(arrived.headers().lastHeader("ce_type").value(), UTF_8))
        .isEqualTo("crates-sent");
  }
}
