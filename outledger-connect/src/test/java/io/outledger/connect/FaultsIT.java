// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers that support less, freeze, or lose their offsets. */
@Tag("long")
final class FaultsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Map<String, String> AT_LEAST_ONCE =
      Map.of("exactly.once.support", "requested", "delivery", "at-least-once");

  private final KafkaBroker kafka = KafkaBroker.shared();
  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(kafka, shop);
  private final String topic = "orders-" + UUID.randomUUID();

  @BeforeEach
  void make() {
    kafka.createTopic(topic, 3, Map.of());
  }

  @AfterEach
  void close() {
    connectors.close();
    shop.close();
  }

  private void arrived(Consumed consumed, ConnectWorker worker, int atLeast) {
    Await.until(
        () -> atLeast + " messages arrive; " + connectors.status(worker) + worker.output(),
        PATIENCE,
        () -> {
          consumed.read();
          return consumed.distinct() >= atLeast;
        });
  }

  @Test
  void withoutSupportForExactlyOnceAtLeastOnceMustBeAskedFor() throws Exception {
    ConnectWorker worker = connectors.worker(Map.of("exactly.once.source.support", "disabled"));
    HttpResponse<String> refused = connectors.tryPut(worker, Map.of("topic", topic));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("exactly-once source support enabled");
    connectors.put(worker, Map.of("topic", topic), AT_LEAST_ONCE);
    try (Consumed consumed = new Consumed(kafka.bootstrapServers(), topic)) {
      shop.write(2, "orders", 3);
      for (int kill = 1; kill <= 3; kill++) {
        arrived(consumed, worker, consumed.distinct() + 300);
        worker.kill();
        worker.restart();
      }
      shop.finish();
      arrived(consumed, worker, shop.appended());
      assertThat(consumed.distinct()).isEqualTo((int) shop.count());
    }
  }

  /** What was validated is not what a worker does that was started in another way since. */
  @Test
  void aWorkerThatDoesNotCommitInTransactionsReadsNothingExactlyOnce() throws Exception {
    ConnectWorker first = connectors.worker();
    connectors.put(first, Map.of("topic", topic));
    try (Consumed consumed = new Consumed(kafka.bootstrapServers(), topic)) {
      shop.append(Message.to("orders", "order.placed").key("a").payload(new byte[1]).build());
      arrived(consumed, first, 1);
      first.stop();
      ConnectWorker second = connectors.worker(Map.of("exactly.once.source.support", "disabled"));
      Await.until(
          () -> "the task fails and says why; " + connectors.status(second) + second.output(),
          PATIENCE,
          () -> connectors.status(second).contains("this worker does not commit in transactions"));
      shop.append(Message.to("orders", "order.placed").key("a").payload(new byte[1]).build());
      second.stop();
      first.restart();
      arrived(consumed, first, 2);
      assertThat(consumed.read()).isEqualTo(2);
      assertThat(consumed.wrong()).isEmpty();
    }
  }

  @Test
  void withoutTheTopicOfOffsetsItGoesOnFromTheCursorsRow() throws Exception {
    ConnectWorker worker = connectors.worker();
    connectors.put(worker, Map.of("topic", topic, "slots", "4", "tasks.max", "2"));
    try (Consumed consumed = new Consumed(kafka.bootstrapServers(), topic)) {
      shop.write(2, "orders", 5);
      arrived(consumed, worker, 300);
      worker.stop(); // so each row of the cursor is where Kafka is
      kafka.deleteTopic(connectors.offsets());
      worker.restart();
      arrived(consumed, worker, consumed.distinct() + 300);
      shop.finish();
      arrived(consumed, worker, shop.appended());
      assertThat(consumed.wrong()).isEmpty();
      assertThat(consumed.read()).isEqualTo((int) shop.count());
    }
  }

  @Test
  void connectorsOfOneNameInTwoClustersStandByAndTakeOverWhereTheOtherHasReadTo() {
    ConnectWorker worker = connectors.worker();
    connectors.put(worker, Map.of("topic", topic));
    try (Consumed consumed = new Consumed(kafka.bootstrapServers(), topic);
        ConnectWorker stranger =
            ConnectWorker.start(
                kafka.bootstrapServers(),
                "another-" + UUID.randomUUID(),
                Map.of(),
                System.getProperty("java.class.path"))) {
      connectors.tryPut(stranger, Map.of("topic", topic));
      Await.until(
          () -> "the second says that it stands by; " + stranger.output(),
          PATIENCE,
          () -> stranger.output().contains("is on standby"));
      shop.append(Message.to("orders", "order.placed").key("a").payload(new byte[1]).build());
      arrived(consumed, worker, 1);
      connectors.delete(worker);
      shop.append(Message.to("orders", "order.placed").key("a").payload(new byte[1]).build());
      arrived(consumed, stranger, 2);
      assertThat(consumed.read()).isEqualTo(2);
      assertThat(consumed.wrong()).isEmpty();
    }
  }

  @Test
  void aWorkerThatWasFrozenSendsNothingTwice() throws Exception {
    ConnectWorker first = connectors.worker();
    ConnectWorker second = connectors.worker();
    connectors.put(first, Map.of("topic", topic, "slots", "4", "tasks.max", "2"));
    try (Consumed consumed = new Consumed(kafka.bootstrapServers(), topic)) {
      shop.write(2, "orders", 4);
      for (int freeze = 0; freeze < 2; freeze++) {
        ConnectWorker frozen = freeze == 0 ? first : second;
        ConnectWorker other = freeze == 0 ? second : first;
        arrived(consumed, other, consumed.distinct() + 300);
        frozen.suspend();
        // More than what is on its way: the other one has taken over.
        arrived(consumed, other, consumed.distinct() + 20_000);
        frozen.resume();
        arrived(consumed, other, consumed.distinct() + 300);
      }
      shop.finish();
      arrived(consumed, first, shop.appended());
      assertThat(consumed.wrong()).isEmpty();
      assertThat(consumed.read()).isEqualTo((int) shop.count());
    }
  }
}
