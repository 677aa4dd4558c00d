// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transformations behind the connector, on a worker. */
final class TransformsIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();

  private static final String PARKED = "SELECT count(*) FROM outledger_parked";
  private static final Map<String, String> MARKED =
      Map.of(
          "predicates", "marked",
          "predicates.marked.type", "org.apache.kafka.connect.transforms.predicates.HasHeaderKey",
          "predicates.marked.name", "drop");

  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(KAFKA, shop);
  private final String topic = "orders-" + UUID.randomUUID();

  @AfterEach
  void close() {
    connectors.close();
    shop.close();
  }

  private void append(boolean isDropped) {
    Message.Builder message = Message.to("orders", "order.placed").key("a").payload(new byte[] {1});
    shop.append((isDropped ? message.header("drop", "yes") : message).build());
  }

  private void arrived(Consumed consumed, ConnectWorker worker, int count) {
    connectors.awaitArrived(worker, consumed, count);
    assertThat(consumed.wrong()).isEmpty();
  }

  private Map<String, String> dropping() {
    Map<String, String> config = new HashMap<>();
    config.put("topic", topic);
    config.put("transforms", "filter");
    config.put("transforms.filter.type", "org.apache.kafka.connect.transforms.Filter");
    config.put("transforms.filter.predicate", "marked");
    config.putAll(MARKED);
    return config;
  }

  /** The last message of a batch carries no offset where it is dropped; the first one does. */
  @Test
  void whatWasSentBesideADroppedMessageDoesNotComeAgain() {
    KAFKA.createTopic(topic, 1, Map.of());
    Map<String, String> config = dropping();
    append(false);
    append(true);
    ConnectWorker worker = connectors.worker();
    connectors.put(worker, config);
    try (Consumed consumed = new Consumed(KAFKA.bootstrapServers(), topic)) {
      arrived(consumed, worker, 1);
      worker.kill();
      worker.restart();
      append(true);
      append(false);
      append(true);
      arrived(consumed, worker, 2);
      worker.stop();
      worker.restart();
      append(false);
      arrived(consumed, worker, 3);
    }
  }

  /** A batch that is dropped whole opens no transaction, and Connect tells of none of it. */
  @Test
  void atLeastOnceUnderAWorkerWithTransactionsADroppedBatchIsFollowedByTheNext() {
    KAFKA.createTopic(topic, 1, Map.of());
    Map<String, String> config = dropping();
    config.put("delivery", "at-least-once");
    ConnectWorker worker = connectors.worker();
    append(true);
    connectors.put(worker, config);
    try (Consumed consumed = new Consumed(KAFKA.bootstrapServers(), topic)) {
      for (int round = 1; round <= 3; round++) {
        appendAlone(true);
        appendAlone(true);
        append(false);
        arrived(consumed, worker, round);
      }
    }
  }

  /** So that it is a batch of its own: the one before has been read and mirrored. */
  private void appendAlone(boolean isDropped) {
    append(isDropped);
    Await.until(
        "it has been passed",
        Duration.ofMinutes(2),
        () ->
            shop.number("SELECT max(high) FROM outledger_subscription")
                >= shop.number("SELECT max(position) FROM outledger_message"));
  }

  /** What Connect commits when a task has failed is not all that was handed out. */
  @Test
  void aDeadLetterThatIsSentBehindARecordWhichFailsTheTaskIsNotTakenForSent() {
    String late = topic + "-late";
    KAFKA.createTopic(topic, 1, Map.of());
    ConnectWorker worker = connectors.worker(Map.of("exactly.once.source.support", "disabled"));
    Map<String, String> config = new HashMap<>();
    config.put("topic", "{topic}");
    config.put("delivery", "at-least-once");
    config.put("exactly.once.support", "requested");
    connectors.put(worker, config);
    shop.append(Message.to(late, "order.placed").key("a").payload(new byte[] {1}).build());
    awaitParked(1);
    stopAndResume(
        worker,
        () -> {
          KAFKA.createTopic(late, 1, Map.of());
          shop.append(Message.to(topic, "order.placed").key("b").header("drop", "").build());
          shop.outledger().parkedMessages("kafka").retryAll();
        },
        failing(config));
    Await.until(
        () -> "the task fails: " + connectors.status(worker) + worker.output(),
        Duration.ofMinutes(2),
        () -> connectors.status(worker).contains("FAILED"));
    assertThat(shop.number(PARKED)).isEqualTo(1);
    change(worker, config);
    try (Consumed consumed = new Consumed(KAFKA.bootstrapServers(), late)) {
      arrived(consumed, worker, 1);
    }
    awaitParked(0);
  }

  private void awaitParked(int count) {
    Await.until(count + " are parked", Duration.ofMinutes(2), () -> shop.number(PARKED) == count);
  }

  /** A transformation that throws at messages with a header. */
  private static Map<String, String> failing(Map<String, String> config) {
    Map<String, String> failing = new HashMap<>(config);
    failing.put("transforms", "cast");
    failing.put("transforms.cast.type", "org.apache.kafka.connect.transforms.Cast$Value");
    failing.put("transforms.cast.spec", "int32");
    failing.put("transforms.cast.predicate", "marked");
    failing.putAll(MARKED);
    return failing;
  }

  private void change(ConnectWorker worker, Map<String, String> config) {
    HttpResponse<String> answer = connectors.tryPut(worker, config);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private void stopAndResume(ConnectWorker worker, Runnable meanwhile, Map<String, String> with) {
    worker.call("PUT", "/connectors/" + connectors.name() + "/stop");
    Await.until(
        () -> "it has stopped: " + connectors.status(worker),
        Duration.ofMinutes(2),
        () -> connectors.status(worker).contains("\"tasks\":[]"));
    meanwhile.run();
    change(worker, with);
    worker.call("PUT", "/connectors/" + connectors.name() + "/resume");
  }
}
