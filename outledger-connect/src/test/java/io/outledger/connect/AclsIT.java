// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static io.outledger.connect.KafkaRights.LOOKER;
import static io.outledger.connect.KafkaRights.SENDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.connect.KafkaRights.Right;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A connector with the rights that the documents list, in Kafka and in the database, or fewer. */
final class AclsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String GROUP = "acls";
  private static final KafkaRights RIGHTS = KafkaRights.start();
  private static ConnectWorker worker;

  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(RIGHTS.kafka(), shop);
  private final String prefix = "o" + UUID.randomUUID();
  private final String topic = prefix + ".orders";
  private final String role = "connect_" + prefix.replace("-", "");

  /** What the documents say that a connector needs. */
  private enum Needed {
    WRITE_TO_THE_TOPIC,
    WRITE_TO_HEARTBEATS,
    WRITE_TO_OFFSETS,
    WRITE_OF_TRANSACTIONAL_ID,
    DESCRIBE_TOPIC,
    DESCRIBE_HEARTBEATS
  }

  @BeforeAll
  static void start() {
    worker =
        ConnectWorker.start(
            RIGHTS.kafka().bootstrapServers(),
            GROUP,
            Map.of(),
            System.getProperty("java.class.path"));
  }

  @AfterAll
  static void stop() {
    worker.close();
    RIGHTS.kafka().close();
  }

  @AfterEach
  void close() {
    connectors.delete(worker);
    connectors.close();
    shop.close();
    RIGHTS.revoke();
  }

  private Map<Needed, Right> rights() {
    String id = GROUP + "-" + connectors.name() + "-0";
    return new HashMap<>(
        Map.of(
            Needed.WRITE_TO_THE_TOPIC, Right.topic(SENDER, AclOperation.WRITE, topic),
            Needed.WRITE_TO_HEARTBEATS,
                Right.topic(SENDER, AclOperation.WRITE, connectors.heartbeats()),
            Needed.WRITE_TO_OFFSETS, Right.topic(SENDER, AclOperation.WRITE, GROUP + "-offsets"),
            Needed.WRITE_OF_TRANSACTIONAL_ID,
                new Right(SENDER, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, id),
            Needed.DESCRIBE_TOPIC, Right.topic(LOOKER, AclOperation.DESCRIBE, topic),
            Needed.DESCRIBE_HEARTBEATS,
                Right.topic(LOOKER, AclOperation.DESCRIBE, connectors.heartbeats())));
  }

  /** Makes the connector, whose role in the database has no right that is not documented. */
  private void put(String... revoked) throws Exception {
    RIGHTS.kafka().createTopic(topic, 1, Map.of());
    shop.execute(DocumentedRole.statements(role, "p"));
    shop.execute(List.of(revoked));
    Map<String, String> config = new HashMap<>(RIGHTS.logins());
    config.put("topic", prefix + ".{topic}");
    config.put("database.user", role);
    config.put("database.password", "p");
    connectors.put(worker, config);
  }

  private void append(String to) {
    shop.append(Message.to(to, "order.placed").key("a").payload(new byte[] {1}).build());
  }

  private void arrived(Consumed consumed, int count) {
    Await.until(
        () -> count + " messages arrive; " + connectors.status(worker) + worker.output(),
        PATIENCE,
        () -> consumed.read() >= count);
    assertThat(consumed.read()).isEqualTo(count);
  }

  private long dead() {
    return shop.number("SELECT count(*) FROM outledger_parked WHERE state = 'dead'");
  }

  @Test
  void whatTheDocumentsListIsEnough() throws Exception {
    RIGHTS.allow(rights().values());
    put();
    try (Consumed consumed = new Consumed(RIGHTS.kafka().bootstrapServers(), topic)) {
      append("orders");
      append("orders");
      arrived(consumed, 2);
      Await.until(
          "the mirror follows",
          PATIENCE,
          () -> shop.number("SELECT max(high) FROM outledger_subscription") >= 2);
      assertThat(connectors.status(worker)).contains("RUNNING").doesNotContain("FAILED");
    }
  }

  @Test
  void aMessageWhoseTopicNobodyMaySeeIsADeadLetterAndTheOthersGoOn() throws Exception {
    RIGHTS.allow(rights().values());
    put();
    append("orders");
    append("odrers");
    append("orders");
    try (Consumed consumed = new Consumed(RIGHTS.kafka().bootstrapServers(), topic)) {
      arrived(consumed, 2);
      assertThat(dead()).isEqualTo(1);
      assertThat(connectors.status(worker)).contains("RUNNING").doesNotContain("FAILED");
      String mistyped = prefix + ".odrers";
      RIGHTS.kafka().createTopic(mistyped, 1, Map.of());
      RIGHTS.allow(
          List.of(
              Right.topic(LOOKER, AclOperation.DESCRIBE, mistyped),
              Right.topic(SENDER, AclOperation.WRITE, mistyped)));
      long position = shop.number("SELECT position FROM outledger_parked");
      assertThat(shop.outledger().parkedMessages("kafka").retry(position)).isTrue();
      try (Consumed there = new Consumed(RIGHTS.kafka().bootstrapServers(), mistyped)) {
        arrived(there, 1);
        Await.until("its row is taken away", PATIENCE, () -> dead() == 0);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutOneOfThemTheStatusOrTheDeadLetterNamesIt(Needed missing) throws Exception {
    Map<Needed, Right> rights = rights();
    Right without = Objects.requireNonNull(rights.remove(missing));
    RIGHTS.allow(new ArrayList<>(rights.values()));
    put();
    if (missing != Needed.WRITE_TO_HEARTBEATS) { // which are written while there is no message
      append("orders");
    }
    if (missing == Needed.DESCRIBE_TOPIC) {
      Await.until(() -> "parked; " + worker.output(), PATIENCE, () -> dead() == 1);
      assertThat(
              shop.number(
                  "SELECT count(*) FROM outledger_failed WHERE error LIKE '%" + topic + "%'"))
          .isEqualTo(1);
      return;
    }
    String named = missing == Needed.WRITE_OF_TRANSACTIONAL_ID ? "Transactional" : without.name();
    Await.until(
        () -> "the task fails and names " + named + ": " + connectors.status(worker),
        PATIENCE,
        () -> connectors.status(worker).contains("FAILED"));
    assertThat(connectors.status(worker)).contains(named);
  }

  @ParameterizedTest
  @CsvSource({"SELECT, outledger_message", "INSERT, outledger_cursor", "INSERT, outledger_parked"})
  void withoutARightInTheDatabaseItIsNamedAndTheTaskGoesOnOnceItIsGranted(
      String right, String table) throws Exception {
    RIGHTS.allow(rights().values());
    put("REVOKE %s ON %s FROM %s".formatted(right, table, role));
    append("no valid name");
    append("orders");
    String named =
        "SELECT count(*) FROM outledger_status WHERE reason LIKE '%denied for table "
            + table
            + "%'";
    Await.until(
        () -> table + " is named; " + connectors.status(worker) + worker.output(),
        PATIENCE,
        () -> shop.number(named) == 1);
    assertThat(worker.output()).contains("permission denied for table " + table);
    assertThat(connectors.status(worker)).contains("RUNNING").doesNotContain("FAILED");
    shop.execute(List.of("GRANT %s ON %s TO %s".formatted(right, table, role)));
    try (Consumed consumed = new Consumed(RIGHTS.kafka().bootstrapServers(), topic)) {
      arrived(consumed, 1);
      assertThat(dead()).isEqualTo(1);
    }
  }
}
