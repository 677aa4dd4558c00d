// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Consumers cannot tell whether a relay or a connector has written to their topic. */
final class SameRecordsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final KafkaBroker KAFKA = KafkaBroker.shared();

  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(KAFKA, shop);
  private final String relayed = "relayed-" + UUID.randomUUID();
  private final String connected = "connected-" + UUID.randomUUID();

  @AfterEach
  void close() {
    connectors.close();
    shop.close();
  }

  private static List<Message> messages() {
    return List.of(
        Message.to("orders", "order.placed").key("a").payload(new byte[] {0, 1, -1}).build(),
        Message.to("orders", "order.placed").payload("no key".getBytes(UTF_8)).build(),
        Message.to("orders", "order.deleted").key("a").tombstone().build(),
        Message.to("orders", "order.empty").key("b").payload(new byte[0]).version(7).build(),
        Message.to("orders", "bestellung.größe")
            .key("schlüssel ☃")
            .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
            .header("content-type", "application/json; charset=utf-8")
            .header("Kunde", "Zoë ☃ %41")
            .header("empty", "")
            .time(Instant.parse("1999-12-31T23:59:59.123456Z"))
            .payload("{}".getBytes(UTF_8))
            .build());
  }

  @Test
  void recordsAreThoseThatARelayWrites() {
    KAFKA.createTopic(relayed, 1, Map.of());
    KAFKA.createTopic(connected, 1, Map.of());
    List<Message> messages = messages();
    messages.forEach(shop::append);
    Map<String, Object> settings = Map.of("bootstrap.servers", KAFKA.bootstrapServers());
    KafkaPublisher publisher = KafkaPublisher.with(settings).topics(topic -> relayed);
    connectors.put(connectors.worker(), Map.of("topic", connected));
    RunningRelay relay = shop.outledger().relay("direct").to(publisher).start();
    List<String> expected = read(relayed, messages.size());
    relay.close();
    assertThat(expected).hasSize(messages.size()).doesNotHaveDuplicates();
    assertThat(read(connected, messages.size())).containsExactlyElementsOf(expected);
  }

  private static List<String> read(String topic, int count) {
    List<String> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", KAFKA.bootstrapServers(), "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      Await.until(
          count + " records are in " + topic,
          PATIENCE,
          () -> {
            consumer.poll(Duration.ofMillis(100)).forEach(each -> records.add(text(each)));
            return records.size() >= count;
          });
    }
    return records;
  }

  /** Everything of it that its writer decides. */
  private static String text(ConsumerRecord<byte[], byte[]> read) {
    List<String> headers =
        StreamSupport.stream(read.headers().spliterator(), false)
            .map(each -> each.key() + "=" + bytes(each.value()))
            .toList();
    return bytes(read.key()) + " " + bytes(read.value()) + " " + headers;
  }

  private static String bytes(byte @Nullable [] value) {
    return value == null ? "null" : HexFormat.of().formatHex(value);
  }
}
