// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProducerSettingsTest {

  private static final String SERVERS = "127.0.0.1:9092";

  @Test
  void everyProblemIsListedAtOnce() {
    Map<String, Object> settings = new TreeMap<>();
    settings.put("bootstrap.servers", "nowhere");
    settings.put("enable.idempotence", false);
    settings.put("acks", "1");
    settings.put("max.in.flight.requests.per.connection", 6);
    settings.put("retries", 0);
    settings.put("transactional.id", "mine");
    settings.put("partitioner.class", "org.apache.kafka.clients.producer.RoundRobinPartitioner");
    settings.put("delivery.timeout.ms", 1_000);
    settings.put("max.block.ms", 1);
    settings.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    settings.put("batch.size", "large");
    settings.put("linger.ms", null);
    assertThatThrownBy(() -> KafkaPublisher.with(settings))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
        .hasMessageStartingWith("OUT-021")
        .hasMessageNotContaining("non-null") // Kafka's second problem with batch.size
        .satisfies(
            e -> settings.keySet().forEach(name -> assertThat(e).hasMessageContaining(name)));
  }

  @ParameterizedTest
  @CsvSource({
    "compresion.type, compression.type",
    "max.requests.size, max.request.size",
    "security-protocol, security.protocol",
    "Client.ID, client.id",
    "ack, acks"
  })
  void aMisspeltNameIsRefusedWithTheNearestKnownOne(String misspelt, String meant) {
    assertThatThrownBy(
            () -> KafkaPublisher.with(Map.of("bootstrap.servers", SERVERS, misspelt, "x")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Kafka has no setting " + misspelt + "; did you mean " + meant + "?");
    assertThatThrownBy(
            () ->
                KafkaReceiver.with(
                    Map.of("bootstrap.servers", SERVERS, "group.id", "g", "max.pol.records", "5")))
        .hasMessageContaining("did you mean max.poll.records?");
  }

  @Test
  void namesOfOtherClientsAndOfPluginsPass() {
    KafkaPublisher.with(
        Map.of(
            "bootstrap.servers", SERVERS, "group.id", "g", "schema.registry.url", "http://s:8081"));
  }

  @Test
  void thePluginsOwnSettingsReachTheClientThatAsksForTopics() {
    Map<String, Object> given =
        Map.of(
            "bootstrap.servers",
            SERVERS,
            "batch.size",
            1,
            "session.timeout.ms",
            1_000,
            "com.example.tls.store",
            "here");

    assertThat(ProducerSettings.of(given).forAsking(DeliveryTimes.within(Duration.ofSeconds(5))))
        .containsEntry("bootstrap.servers", SERVERS)
        .containsEntry("com.example.tls.store", "here")
        .doesNotContainKeys("batch.size", "session.timeout.ms", "acks", "key.serializer");
  }

  @Test
  void whatIsDecidedIsRefusedOtherwise() {
    assertThat(KafkaPublisher.decidedSettings())
        .contains("acks", "delivery.timeout.ms")
        .allSatisfy(
            name ->
                assertThatThrownBy(
                        () -> KafkaPublisher.with(Map.of("bootstrap.servers", SERVERS, name, "0")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(name));
    assertThat(KafkaReceiver.decidedSettings())
        .contains("enable.auto.commit")
        .allSatisfy(
            name ->
                assertThatThrownBy(
                        () ->
                            KafkaReceiver.with(
                                Map.of("bootstrap.servers", SERVERS, "group.id", "g", name, "0")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(name));
  }

  @Test
  void settingsThatSayWhatIsSetAnywayAreFine() {
    KafkaPublisher.with(
        Map.of(
            "bootstrap.servers",
            SERVERS,
            "enable.idempotence",
            "true",
            "acks",
            "-1",
            "max.in.flight.requests.per.connection",
            5,
            "key.serializer",
            ByteArraySerializer.class,
            "compression.type",
            "lz4"));
  }

  @Test
  void addressesMayBeMany() {
    KafkaPublisher.with(Map.of("bootstrap.servers", "a.example:9092, [::1]:9093"));
    assertThatThrownBy(() -> KafkaPublisher.with(Map.of()))
        .hasMessageContaining("bootstrap.servers is missing");
  }

  @Test
  void secretsAreNotNamed() {
    KafkaPublisher publisher =
        KafkaPublisher.with(
            Map.of("bootstrap.servers", SERVERS, "sasl.jaas.config", "CANARY", "acks", "all"));
    assertThat(publisher.toString()).contains(SERVERS).doesNotContain("CANARY");
    assertThatThrownBy(
            () ->
                KafkaPublisher.with(
                    Map.of("sasl.jaas.config", "CANARY", "ssl.key.password", "CANARY")))
        .hasMessageNotContaining("CANARY");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 10, 100, 1_500, 10_000, 600_000})
  void everyDeliveryTimeGivesSettingsThatKafkaTakes(int millis) {
    DeliveryTimes times = DeliveryTimes.within(Duration.ofMillis(millis));
    Map<String, Object> settings =
        ProducerSettings.of(Map.of("bootstrap.servers", SERVERS, "linger.ms", 1_000)).within(times);
    int delivery = number(settings, "delivery.timeout.ms");
    int request = number(settings, "request.timeout.ms");
    int block = number(settings, "max.block.ms");
    assertThat(delivery).isGreaterThanOrEqualTo(request + number(settings, "linger.ms"));
    assertThat(times.lookupMs() + delivery).isLessThanOrEqualTo(Math.max(10, millis));
    assertThat(block).isLessThanOrEqualTo(times.lookupMs());
    assertThat(request).isPositive();
    assertThat(block).isPositive();
  }

  @Test
  void sourceMustBeAUriReference() {
    KafkaPublisher publisher = KafkaPublisher.with(Map.of("bootstrap.servers", SERVERS));
    publisher.source("https://shop.example/orders");
    for (String bad : new String[] {"", " ", "a b", "x".repeat(201), "http://["}) {
      assertThatThrownBy(() -> publisher.source(bad)).isInstanceOf(ConfigurationException.class);
    }
  }

  @Test
  void receiverRefusesWhatWouldLoseRecords() {
    assertThatThrownBy(
            () ->
                KafkaReceiver.with(
                    Map.of(
                        "bootstrap.servers",
                        SERVERS,
                        "enable.auto.commit",
                        true,
                        "isolation.level",
                        "read_uncommitted",
                        "auto.offset.reset",
                        "none")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("group.id is missing")
        .hasMessageContaining("enable.auto.commit")
        .hasMessageContaining("isolation.level")
        .hasMessageContaining("auto.offset.reset");
  }

  private static int number(Map<String, Object> settings, String name) {
    return Integer.parseInt(String.valueOf(settings.get(name)));
  }

  @Test
  void namesThatCannotBeATopicsAreRefusedAtTheDoor() {
    KafkaReceiver receiver =
        KafkaReceiver.with(Map.of("bootstrap.servers", SERVERS, "group.id", "g"));
    for (String name : new String[] {"", " ", "a b", "a\nb", "x".repeat(250), null}) {
      assertThatThrownBy(() -> receiver.topics("good", name))
          .isInstanceOf(ConfigurationException.class);
      assertThatThrownBy(() -> receiver.origin(name)).isInstanceOf(ConfigurationException.class);
    }
    assertThatThrownBy(() -> receiver.recordBytesMax(0)).isInstanceOf(ConfigurationException.class);
  }
}
