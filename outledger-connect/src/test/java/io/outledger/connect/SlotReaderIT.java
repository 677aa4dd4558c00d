// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.relay.context.Wakeup;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Ports;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A task's work, with the part of Kafka Connect played by hand. */
final class SlotReaderIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static final String CONNECTIONS =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()";

  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(KAFKA, shop);
  private final String topic = "orders-" + UUID.randomUUID();
  private final KeptOffsets offsets = new KeptOffsets();
  private final Outstanding outstanding = new Outstanding();

  @BeforeEach
  void make() {
    KAFKA.createTopic(topic, 1, Map.of());
    KAFKA.createTopic(connectors.heartbeats(), 1, Map.of());
    shop.append(Message.to("orders", "order.placed").key("a").payload(new byte[] {1}).build());
  }

  @AfterEach
  void close() {
    connectors.close();
    shop.close();
  }

  private SlotReader reader(String servers) {
    Map<String, String> config =
        new HashMap<>(Map.of("topic", topic, "kafka.bootstrap.servers", servers));
    config.put("lease.ms", "9000");
    return new SlotReader(
        ConnectorOptions.of(connectors.config(config)),
        Set.of(0),
        () -> offsets,
        outstanding,
        new Wakeup());
  }

  @Test
  void nothingIsSentAndTheLeaseIsGivenAwayUntilKafkaAnswers() throws Exception {
    try (SlotReader cutOff = reader("127.0.0.1:" + Ports.free());
        SlotReader other = reader(KAFKA.bootstrapServers())) {
      assertThat(cutOff.next()).isEmpty();
      assertThat(cutOff.next()).isEmpty();
      assertThat(shop.number("SELECT count(*) FROM outledger_lag WHERE running")).isZero();
      readsTheMessage(other);
    }
  }

  @Test
  void whatHasNotArrivedIsReadAgainAfterACleanStop() throws Exception {
    try (SlotReader first = reader(KAFKA.bootstrapServers())) {
      readsTheMessage(first); // but its transaction fails
    }
    outstanding.settle(); // that of another task
    try (SlotReader second = reader(KAFKA.bootstrapServers())) {
      readsTheMessage(second);
    }
  }

  @Test
  void whatHasArrivedIsNotReadAgainAfterACleanStop() throws Exception {
    try (SlotReader first = reader(KAFKA.bootstrapServers())) {
      for (SourceRecord record : readsTheMessage(first)) {
        offsets.keep(record);
        first.committed(record, true);
      }
      outstanding.settle();
    }
    assertThat(shop.number("SELECT high FROM outledger_subscription"))
        .isEqualTo(shop.number("SELECT max(position) FROM outledger_message"));
    try (SlotReader second = reader(KAFKA.bootstrapServers())) {
      for (int i = 0; i < 3; i++) {
        assertThat(topics(second.next())).doesNotContain(topic);
        outstanding.settle();
      }
    }
  }

  @Test
  void noClientOfKafkaAndNoConnectionOutlivesTheTask() {
    long clients = clients();
    long connections = shop.number(CONNECTIONS);
    try (SlotReader reader = reader(KAFKA.bootstrapServers())) {
      readsTheMessage(reader);
      assertThat(clients()).isGreaterThan(clients);
    }
    Await.until("its client ends", Duration.ofMinutes(5), () -> clients() == clients);
    Await.until(
        "its connections end",
        Duration.ofMinutes(5),
        () -> shop.number(CONNECTIONS) == connections);
  }

  private static long clients() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("kafka-admin-client-thread"))
        .count();
  }

  private List<SourceRecord> readsTheMessage(SlotReader reader) {
    List<SourceRecord> read = new ArrayList<>();
    Await.until(
        "it reads the message",
        Duration.ofSeconds(30),
        () -> {
          read.clear();
          read.addAll(reader.next());
          return topics(read).contains(topic);
        });
    return read;
  }

  private static List<String> topics(List<SourceRecord> records) {
    return records.stream().map(SourceRecord::topic).toList();
  }
}
