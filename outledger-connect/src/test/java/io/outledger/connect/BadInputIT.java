// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people and restored servers do to a connector that runs: told, and nothing is lost. */
final class BadInputIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static ConnectWorker worker;

  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(KAFKA, shop);
  private final String topic = "orders-" + UUID.randomUUID();
  private Consumed consumed;

  @BeforeAll
  static void start() {
    worker =
        ConnectWorker.start(
            KAFKA.bootstrapServers(), "bad-input", Map.of(), System.getProperty("java.class.path"));
  }

  @AfterAll
  static void stop() {
    worker.close();
  }

  @BeforeEach
  void make() {
    KAFKA.createTopic(topic, 1, Map.of());
    consumed = new Consumed(KAFKA.bootstrapServers(), topic);
  }

  @AfterEach
  void close() {
    consumed.close();
    connectors.delete(worker);
    connectors.close();
    shop.close();
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      shop.append(Message.to("orders", "order.placed").key("k" + i).payload(new byte[1]).build());
    }
  }

  private void arrived(int count) {
    connectors.awaitArrived(worker, consumed, count);
    assertThat(consumed.wrong()).isEmpty();
  }

  private void told(String code) {
    Await.until(
        () -> code + " is told; " + connectors.status(worker) + worker.output(),
        PATIENCE,
        () -> connectors.status(worker).contains(code));
  }

  /** Makes the connector again, or changes it: its topic of heartbeats is there. */
  private void change(Map<String, String> choices) {
    HttpResponse<String> answer = connectors.tryPut(worker, choices);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  private void stopConnector() {
    worker.call("PUT", path("/stop"));
    Await.until(
        () -> "it has stopped: " + connectors.status(worker),
        PATIENCE,
        () -> connectors.status(worker).contains("\"tasks\":[]"));
  }

  private String path(String what) {
    return "/connectors/" + connectors.name() + what;
  }

  @Test
  void anotherNumberOfSlotsIsRefusedAndTheFormerGoesOn() {
    connectors.put(worker, Map.of("topic", topic, "slots", "2"));
    append(4);
    arrived(4);
    change(Map.of("topic", topic, "slots", "3"));
    told("OUT-060");
    append(4);
    assertThat(consumed.read()).isEqualTo(4);
    change(Map.of("topic", topic, "slots", "2"));
    arrived(8);
  }

  @Test
  void aChangeThatIsRefusedLeavesTheConnectorAsItIs() {
    connectors.put(worker, Map.of("topic", topic));
    append(1);
    arrived(1);
    HttpResponse<String> refused =
        connectors.tryPut(worker, Map.of("topic", topic, "transaction.boundary", "interval"));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("transaction.boundary must be connector");
    HttpResponse<String> second =
        worker.create(connectors.name(), connectors.config(Map.of("topic", topic + "-2")));
    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("already exists");
    append(2);
    arrived(3);
  }

  @Test
  void aConnectorThatWasFrozenFindsARelayInItsPlaceAndStandsBy() {
    connectors.put(worker, Map.of("topic", topic));
    append(2);
    arrived(2);
    RecordingPublisher published = new RecordingPublisher();
    try (RunningRelay relay = shop.outledger().relay("kafka").to(published).start()) {
      standsBy("the relay", "instance <> 'connect, slot 0'");
      append(2);
      arrived(4);
      assertThat(published.arrivals()).isEmpty();
      Await.until("the cursor's row follows", PATIENCE, () -> behind() == 0);
      takesOver(relay, published);
      standsBy("the connector", "instance = 'connect, slot 0'");
      Await.until(
          () -> "the connector's log says it, too; " + worker.output(),
          PATIENCE,
          () -> worker.output().contains("is on standby; another relay may own"));
      append(1);
      Await.until("the relay goes on", PATIENCE, () -> published.arrivals().size() >= 4);
    }
    append(2);
    arrived(6);
    assertThat(published.arrivals()).hasSize(4);
  }

  /** Returns how many positions the cursor's row is behind what was sent. */
  private long behind() {
    return shop.number("SELECT max(position) FROM outledger_message")
        - shop.number("SELECT max(high) FROM outledger_subscription");
  }

  private void takesOver(RunningRelay relay, RecordingPublisher published) {
    worker.suspend();
    try {
      append(3);
      Await.until(
          () -> "the relay takes over: " + relay.state() + published.positions(),
          PATIENCE,
          () -> published.arrivals().size() >= 3);
    } finally {
      worker.resume();
    }
  }

  private void standsBy(String who, String where) {
    Await.until(
        () -> who + " says that it stands by; " + worker.output(),
        PATIENCE,
        () ->
            shop.number(
                    "SELECT count(*) FROM outledger_status WHERE state = 'standby' AND " + where)
                == 1);
  }

  @Test
  void withoutItsSourceOffsetsItGoesOnFromTheCursorsRow() {
    connectors.put(worker, Map.of("topic", topic));
    append(3);
    arrived(3);
    stopConnector();
    append(2);
    worker.call("DELETE", path("/offsets"));
    assertThat(worker.get(path("/offsets"))).isEqualTo("{\"offsets\":[]}");
    worker.call("PUT", path("/resume"));
    arrived(5);
  }

  @Test
  void aLedgerThatWasRestoredFailsTheTaskUntilSomebodyMovesTheSubscription() {
    connectors.put(worker, Map.of("topic", topic));
    append(3);
    arrived(3);
    stopConnector();
    long row = shop.number("SELECT max(n) FROM outledger_cursor");
    long position = shop.number("SELECT max(position) FROM outledger_message");
    worker.call("PUT", path("/resume"));
    append(3);
    arrived(6);
    stopConnector();
    shop.execute(
        List.of(
            "DELETE FROM outledger_cursor WHERE n > " + row,
            "DELETE FROM outledger_message WHERE position > " + position,
            "SELECT setval('outledger_message_position', %d)".formatted(position)));
    append(2); // at positions of messages that were sent
    worker.call("PUT", path("/resume"));
    told("OUT-007");
    assertThat(consumed.read()).isEqualTo(6);
    shop.outledger().subscriptions().skip("kafka", Start.at(position + 1));
    connectors.restartFailed(worker);
    arrived(8);
  }
}
