// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import io.outledger.store.PauseScope;
import io.outledger.store.Start;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What cannot be sent, and what operators and other readers of the subscription do, on a worker.
 */
final class OperatorsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static ConnectWorker worker;

  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(KAFKA, shop);
  private final String topic = "orders-" + UUID.randomUUID();

  @BeforeAll
  static void start() {
    worker =
        ConnectWorker.start(
            KAFKA.bootstrapServers(), "operators", Map.of(), System.getProperty("java.class.path"));
  }

  @AfterAll
  static void stop() {
    worker.close();
  }

  @AfterEach
  void close() {
    connectors.delete(worker);
    connectors.close();
    shop.close();
  }

  private Consumed consumed(String of) {
    return new Consumed(KAFKA.bootstrapServers(), of);
  }

  private void arrived(Consumed consumed, int count) {
    connectors.awaitArrived(worker, consumed, count);
  }

  private void append(String to, String key, byte[] payload) {
    shop.append(Message.to(to, "order.placed").key(key).payload(payload).build());
  }

  private long parked() {
    return shop.number("SELECT count(*) FROM outledger_parked WHERE state = 'dead'");
  }

  @Test
  void whatCannotBeSentIsParkedAndSentOnceOnRequest() {
    String missing = topic + ".missing";
    KAFKA.createTopic(topic + ".here", 1, Map.of());
    connectors.put(worker, Map.of("topic", topic + ".{topic}", "record.bytes.max", "2000"));
    append("here", "a", new byte[] {1});
    append("here", "a", new byte[2_000]);
    append("missing", "a", new byte[] {2});
    append("a b", "a", new byte[] {3});
    append("here", "a", new byte[] {4});
    try (Consumed here = consumed(topic + ".here")) {
      arrived(here, 2);
      assertThat(connectors.status(worker)).contains("RUNNING").doesNotContain("FAILED");
      assertThat(parked()).isEqualTo(3);
      KAFKA.createTopic(missing, 1, Map.of());
      long position = shop.number("SELECT position FROM outledger_parked WHERE topic = 'missing'");
      assertThat(shop.outledger().parkedMessages("kafka").retry(position)).isTrue();
      try (Consumed there = consumed(missing)) {
        arrived(there, 1);
        Await.until("its row is taken away", PATIENCE, () -> parked() == 2);
        append("here", "a", new byte[] {5});
        arrived(here, 3);
        assertThat(there.read()).isEqualTo(1);
      }
    }
  }

  @Test
  void theConnectorFollowsAMoveOfTheSubscription() {
    KAFKA.createTopic(topic, 1, Map.of());
    connectors.put(worker, Map.of("topic", topic));
    for (int i = 0; i < 3; i++) {
      append("orders", "a", new byte[] {1});
    }
    try (Consumed consumed = consumed(topic)) {
      arrived(consumed, 3);
      long second = shop.number("SELECT min(position) + 1 FROM outledger_message");
      Await.until(
          "the cursor's row follows",
          PATIENCE,
          () -> shop.number("SELECT max(high) FROM outledger_subscription") >= second + 1);
      shop.outledger().subscriptions().move("kafka", Start.at(second));
      arrived(consumed, 5);
      append("orders", "a", new byte[] {1});
      arrived(consumed, 6);
    }
  }

  @Test
  void whatIsPausedByAnOperatorWaits() {
    KAFKA.createTopic(topic, 1, Map.of());
    connectors.put(worker, Map.of("topic", topic, "slots", "3"));
    try (Consumed consumed = consumed(topic)) {
      append("orders", "a", new byte[] {1});
      arrived(consumed, 1);
      PauseScope all = PauseScope.subscription();
      assertThat(ask(new Verb.Pause("kafka", all)).state()).isEqualTo(RequestState.DONE);
      for (int i = 0; i < 10; i++) {
        append("orders", "k" + i, new byte[] {1});
      }
      shop.awaitRenewal();
      arrived(consumed, 1);
      assertThat(ask(new Verb.Resume("kafka", all)).state()).isEqualTo(RequestState.DONE);
      arrived(consumed, 11);
      assertThat(consumed.wrong()).isEmpty();
    }
  }

  @Test
  void aConnectorThatConnectHasPausedLosesItsLeaseAndNoMessage() {
    KAFKA.createTopic(topic, 1, Map.of());
    connectors.put(worker, Map.of("topic", topic));
    try (Consumed consumed = consumed(topic)) {
      append("orders", "a", new byte[] {1});
      arrived(consumed, 1);
      worker.call("PUT", "/connectors/" + connectors.name() + "/pause");
      Await.until(
          () -> "its lease has ended: " + connectors.status(worker),
          PATIENCE,
          () ->
              shop.number("SELECT count(*) FROM outledger_subscription WHERE lease_until > now()")
                  == 0);
      append("orders", "a", new byte[] {2});
      arrived(consumed, 1);
      worker.call("PUT", "/connectors/" + connectors.name() + "/resume");
      arrived(consumed, 2);
      assertThat(consumed.wrong()).isEmpty();
    }
  }

  @Test
  void aReplaySendsEachMessageOnceMore() {
    KAFKA.createTopic(topic, 1, Map.of());
    connectors.put(worker, Map.of("topic", topic, "slots", "3", "tasks.max", "2"));
    try (Consumed consumed = consumed(topic)) {
      for (int i = 0; i < 100; i++) {
        append("orders", "k" + i % 7, new byte[] {1});
      }
      arrived(consumed, 100);
      Await.until(
          "all is settled",
          PATIENCE,
          () -> shop.number("SELECT count(*) FROM outledger_pending") == 0);
      RequestStatus replayed = ask(new Verb.Replay("kafka", "", ReplayRange.ALL, Pace.UNLIMITED));
      assertThat(replayed.state()).as(replayed.toString()).isEqualTo(RequestState.DONE);
      assertThat(replayed.done()).isEqualTo(100);
      arrived(consumed, 200);
      assertThat(consumed.distinct()).isEqualTo(100);
      append("orders", "a", new byte[] {1});
      arrived(consumed, 201);
      assertThat(shop.number("SELECT count(*) FROM outledger_parked")).isZero();
    }
  }

  private RequestStatus ask(Verb verb) {
    return shop.outledger().requests().ask(verb.by("anna", "a test"), PATIENCE);
  }

  @Test
  void connectorsOfOneSubscriptionStandByAndTakeOverWhereTheOtherHasReadTo() {
    KAFKA.createTopic(topic, 1, Map.of());
    KAFKA.createTopic(topic + "-2", 1, Map.of());
    connectors.put(worker, Map.of("topic", topic));
    append("orders", "a", new byte[] {1});
    try (Consumed first = consumed(topic);
        Consumed second = consumed(topic + "-2");
        Connectors others = new Connectors(KAFKA, shop)) {
      arrived(first, 1);
      others.put(worker, Map.of("topic", topic + "-2"));
      append("orders", "a", new byte[] {2});
      arrived(first, 2);
      Await.until(
          "the second says that it stands by",
          PATIENCE,
          () -> worker.output().contains("is on standby"));
      assertThat(second.read()).isZero();
      connectors.delete(worker);
      append("orders", "a", new byte[] {3});
      arrived(second, 1);
      append("orders", "a", new byte[] {4});
      arrived(second, 2);
      others.delete(worker);
      // Which has its offsets still.
      assertThat(connectors.tryPut(worker, Map.of("topic", topic)).statusCode()).isEqualTo(201);
      append("orders", "a", new byte[] {5});
      arrived(first, 3);
    }
  }

  @Test
  void theTaskGoesOnAfterItsConnectionsWereCut() {
    KAFKA.createTopic(topic, 1, Map.of());
    connectors.put(worker, Map.of("topic", topic, "slots", "3", "tasks.max", "2"));
    try (Consumed consumed = consumed(topic)) {
      for (int i = 1; i <= 6; i++) {
        append("orders", "k" + i, new byte[] {1});
        arrived(consumed, i);
        shop.number(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname ="
                + " current_database() AND application_name LIKE 'outledger relay%'");
      }
      assertThat(consumed.wrong()).isEmpty();
      assertThat(connectors.status(worker)).doesNotContain("FAILED");
    }
  }

  @Test
  void anOffsetThatWouldNotCountIsRefusedAndOneThatDoesIsFollowed() {
    KAFKA.createTopic(topic, 1, Map.of());
    connectors.put(worker, Map.of("topic", topic));
    for (int i = 0; i < 3; i++) {
      append("orders", "a", new byte[] {1});
    }
    try (Consumed consumed = consumed(topic)) {
      arrived(consumed, 3);
      long first = shop.number("SELECT min(position) FROM outledger_message");
      worker.call("PUT", "/connectors/" + connectors.name() + "/stop");
      Await.until(
          () -> "it has stopped: " + connectors.status(worker),
          PATIENCE,
          () -> connectors.status(worker).contains("\"tasks\":[]"));
      String kept = worker.get("/connectors/" + connectors.name() + "/offsets");
      Matcher epoch = Pattern.compile("\"epoch\":(\\d+)").matcher(kept);
      assertThat(epoch.find()).as(kept).isTrue();
      long right = Long.parseLong(epoch.group(1));
      for (long wrong : new long[] {right - 1, right + 1}) {
        assertThat(patch(wrong, first).body())
            .contains("has the epoch " + wrong, "the subscription is in epoch " + right);
      }
      HttpResponse<String> set = patch(right, first);
      assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
      worker.call("PUT", "/connectors/" + connectors.name() + "/resume");
      arrived(consumed, 5);
    }
  }

  private HttpResponse<String> patch(long epoch, long high) {
    String offset = "{\"epoch\":%d,\"high\":%d,\"open\":\"\"}".formatted(epoch, high);
    return worker.patchOffsets(
        connectors.name(),
        "{\"offsets\":[{\"partition\":{\"slot\":\"shop/kafka/0/1\"},\"offset\":" + offset + "}]}");
  }
}
