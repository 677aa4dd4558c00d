// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.way;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.event.Events;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.postgresql.PostgreSql;
import io.outledger.receive.RunningReceiver;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Whatever its bytes are, a payload comes out of the broker as it was appended, or is refused. */
class PayloadsIT {

  private static final String TOPIC = "payloads";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static List<byte[]> payloads() {
    byte[] everyByte = new byte[256];
    for (int i = 0; i < everyByte.length; i++) {
      everyByte[i] = (byte) i;
    }
    byte[] atTheLimit = new byte[Events.PAYLOAD_BYTES_MAX];
    new Random(1).nextBytes(atTheLimit);
    return List.of(
        new byte[0],
        new byte[1],
        new byte[] {'a', 0, 'b'},
        new byte[] {(byte) 0xc3, 0x28, (byte) 0xed, (byte) 0xa0, (byte) 0x80, (byte) 0xff},
        "\r\n{\"ä\": \"🔑\"}".getBytes(StandardCharsets.UTF_8),
        everyByte,
        atTheLimit);
  }

  @Test
  void payloadsAreByteIdenticalAtTheConsumerAndOneOverTheLimitIsRefused() throws Exception {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    PostgreSql.schema().apply(database);
    KafkaBroker broker = KafkaBroker.shared();
    broker.createTopic(TOPIC, 3, Map.of("max.message.bytes", "2097152"));
    Map<String, byte[]> appended = new ConcurrentHashMap<>();
    Map<String, byte[]> arrived = new ConcurrentHashMap<>();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "max.request.size", 2_097_152);
    KafkaReceiver receiver =
        KafkaReceiver.with(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "group.id", "payloads"))
            .topics(TOPIC);
    try (Outledger outledger = Outledger.builder(database).build();
        RunningRelay relay = outledger.relay("kafka").to(KafkaPublisher.with(settings)).start();
        RunningReceiver running = receiver.start(batch -> batch.forEach(r -> keep(r, arrived)))) {
      for (byte[] payload : payloads()) {
        Message message = message(payload);
        appended.put(message.id().toString(), payload);
        outledger.outbox().inNewTransaction(message);
      }
      refuse(outledger, new byte[Events.PAYLOAD_BYTES_MAX + 1]);
      Await.until(
          () -> arrived.size() + " have arrived, " + relay.state() + ", " + running.failure(),
          PATIENCE,
          () -> arrived.size() == appended.size());
    }
    assertThat(arrived.keySet()).isEqualTo(appended.keySet());
    appended.forEach((id, payload) -> assertThat(arrived.get(id)).isEqualTo(payload));
  }

  private static void refuse(Outledger outledger, byte[] payload) {
    assertThatThrownBy(() -> outledger.outbox().inNewTransaction(message(payload)))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE));
  }

  private static void keep(Received received, Map<String, byte[]> arrived) {
    arrived.put(received.id(), received.payload());
  }

  private static Message message(byte[] payload) {
    return Message.to(TOPIC, "test.payload").key("k" + payload.length).payload(payload).build();
  }
}
