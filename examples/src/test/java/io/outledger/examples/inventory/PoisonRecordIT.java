// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.inventory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.postgresql.PostgreSql;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.RunningReceiver;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Receiving from Kafka into PostgreSQL where some records fail. */
class PoisonRecordIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final KafkaBroker KAFKA = KafkaBroker.shared();

  private final HikariDataSource database = new HikariDataSource();
  private final Outledger outledger = connect();
  private final JdbcInbox inbox = outledger.inbox("inventory");
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final Set<String> poison = ConcurrentHashMap.newKeySet();

  private Outledger connect() {
    Postgres server = Postgres.shared();
    database.setJdbcUrl(server.jdbcUrl(server.createDatabase()));
    PostgreSql.schema().apply(database);
    return Outledger.builder(database).build();
  }

  @AfterEach
  void disconnect() {
    outledger.close();
    database.close();
  }

  private void handle(Connection connection, Received received) {
    String text = new String(received.payload(), UTF_8);
    if (poison.contains(text)) {
      throw new IllegalStateException("no stock for " + text);
    }
    effects.add(text);
  }

  private RunningReceiver receive(String topic) {
    Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofMillis(200));
    return KafkaReceiver.with(
            Map.of("bootstrap.servers", KAFKA.bootstrapServers(), "group.id", topic))
        .topics(topic)
        .options(
            ReceiverOptions.DEFAULT.withRetry(
                RetryPolicy.DEFAULT.withBackoff(backoff).withAttemptsMax(3)))
        .start(inbox.handler(this::handle));
  }

  private RunningRelay relay() {
    return outledger
        .relay("kafka")
        .to(KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers())))
        .start();
  }

  private void append(Connection connection, String topic, List<String> texts) {
    for (String text : texts) {
      String key = text.substring(0, 1);
      Message message = Message.to(topic, "order").key(key).payload(text.getBytes(UTF_8)).build();
      outledger.outbox().append(connection, message);
    }
  }

  @Test
  void poisonRecordHoldsItsKeyAndNotItsPartition() throws Exception {
    String topic = "poison-record";
    KAFKA.createTopic(topic, 1, Map.of());
    poison.add("a1");
    List<String> texts = List.of("a1", "b1", "a2", "b2", "c1", "a3", "b3");
    outledger.transactions().run(connection -> append(connection, topic, texts));
    try (RunningRelay relay = relay();
        RunningReceiver running = receive(topic)) {
      assertThat(relay.state()).isNotNull();
      Await.until(
          "a dead letter, and its key without it",
          PATIENCE,
          () -> effects.containsAll(List.of("b1", "b2", "b3", "c1", "a2", "a3")));
      assertThat(effects).doesNotContain("a1").containsSubsequence("a2", "a3");
      assertThat(running.failure()).isNull();
    }
    poison.clear();
    try (RunningReceiver running = receive(topic)) {
      assertThat(inbox.parked().retry(ParkedSelection.ALL)).isEqualTo(1);
      Await.until("the retry", PATIENCE, () -> effects.contains("a1"));
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(effects).hasSize(7).doesNotHaveDuplicates();
  }
}
