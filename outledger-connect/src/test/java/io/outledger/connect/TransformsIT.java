// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transformations behind the connector, on a worker. */
final class TransformsIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();

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
    config.put("predicates", "marked");
    config.put(
        "predicates.marked.type", "org.apache.kafka.connect.transforms.predicates.HasHeaderKey");
    config.put("predicates.marked.name", "drop");
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
    config.put("transaction.boundary", "poll");
    ConnectWorker worker = connectors.worker();
    append(true);
    connectors.put(worker, config);
    try (Consumed consumed = new Consumed(KAFKA.bootstrapServers(), topic)) {
      for (int round = 1; round <= 3; round++) {
        append(true);
        append(false);
        append(true);
        arrived(consumed, worker, round);
      }
    }
  }
}
