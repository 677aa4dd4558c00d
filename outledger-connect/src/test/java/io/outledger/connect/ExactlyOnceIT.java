// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each message once at read_committed, whatever becomes of the worker. */
final class ExactlyOnceIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final KafkaBroker kafka = KafkaBroker.shared();
  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(kafka, shop);
  private final String topic = "orders-" + UUID.randomUUID();

  @AfterEach
  void close() {
    connectors.close();
    shop.close();
  }

  @Test
  void messagesArriveOnceAlsoAfterACleanStopAndAKill() throws Exception {
    kafka.createTopic(topic, 3, Map.of());
    ConnectWorker worker = connectors.worker();
    connectors.put(worker, Map.of("topic", topic));
    try (Consumed consumed = new Consumed(kafka.bootstrapServers(), topic)) {
      shop.write(2, "orders", 1);
      arrived(consumed, worker, 300);
      worker.stop();
      worker.restart();
      arrived(consumed, worker, consumed.read() + 300);
      worker.kill();
      worker.restart();
      arrived(consumed, worker, consumed.read() + 300);
      allArrived(consumed, worker);
    }
  }

  @Test
  @Tag("long")
  void messagesArriveOnceThroughManyKills() throws Exception {
    kafka.createTopic(topic, 3, Map.of());
    ConnectWorker first = connectors.worker();
    ConnectWorker second = connectors.worker();
    connectors.put(first, Map.of("topic", topic, "slots", "8", "tasks.max", "4"));
    try (Consumed consumed = new Consumed(kafka.bootstrapServers(), topic)) {
      shop.write(3, "orders", 2);
      for (int kill = 0; kill < 12; kill++) {
        ConnectWorker victim = kill % 2 == 0 ? first : second;
        arrived(consumed, victim, consumed.read() + 200);
        victim.kill();
        victim.restart();
      }
      allArrived(consumed, first);
    }
  }

  private void arrived(Consumed consumed, ConnectWorker worker, int atLeast) {
    Await.until(
        () -> atLeast + " messages arrive; " + connectors.status(worker) + "\n" + worker.output(),
        PATIENCE,
        () -> consumed.read() >= atLeast);
    assertThat(consumed.wrong()).isEmpty();
  }

  private void allArrived(Consumed consumed, ConnectWorker worker) throws Exception {
    shop.finish();
    arrived(consumed, worker, shop.appended());
    assertThat(shop.count()).isEqualTo(shop.appended());
    Await.until(
        "the mirror is at the ledger's end",
        PATIENCE,
        () -> shop.number("SELECT min(high) FROM outledger_subscription") >= last());
    assertThat(consumed.read()).isEqualTo(shop.appended());
    assertThat(consumed.wrong()).isEmpty();
  }

  private long last() {
    return shop.number("SELECT max(position) FROM outledger_message");
  }
}
