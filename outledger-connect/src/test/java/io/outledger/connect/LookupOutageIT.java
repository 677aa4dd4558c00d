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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A task whose client for topics reaches no Kafka, beside one that does. */
final class LookupOutageIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();

  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(KAFKA, shop);
  private final String topic = "orders-" + UUID.randomUUID();

  /** The source offsets of a connector that is new. */
  private static final class NoOffsets implements OffsetStorageReader {
    @Override
    public <T> Map<String, Object> offset(Map<String, T> partition) {
      return Map.of();
    }

    @Override
    public <T> Map<Map<String, T>, Map<String, Object>> offsets(
        Collection<Map<String, T>> partitions) {
      return Map.of();
    }
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
        NoOffsets::new,
        new Outstanding(),
        new Wakeup());
  }

  @Test
  void nothingIsSentAndTheLeaseIsGivenAwayUntilKafkaAnswers() throws Exception {
    KAFKA.createTopic(topic, 1, Map.of());
    KAFKA.createTopic(connectors.heartbeats(), 1, Map.of());
    shop.append(Message.to("orders", "order.placed").key("a").payload(new byte[] {1}).build());
    try (SlotReader cutOff = reader("127.0.0.1:" + Ports.free());
        SlotReader other = reader(KAFKA.bootstrapServers())) {
      assertThat(cutOff.next()).isEmpty();
      assertThat(cutOff.next()).isEmpty();
      assertThat(shop.number("SELECT count(*) FROM outledger_lag WHERE running")).isZero();
      Await.until(
          "the other one takes over and reads",
          Duration.ofSeconds(30),
          () -> topics(other.next()).contains(topic));
    }
  }

  private static List<String> topics(List<SourceRecord> records) {
    return records.stream().map(SourceRecord::topic).toList();
  }
}
