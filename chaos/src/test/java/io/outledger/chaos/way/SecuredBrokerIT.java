// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.way;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.ParkedCounts;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.postgresql.PostgreSql;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A broker that asks who comes and what they may do. */
class SecuredBrokerIT {

  private static final String USER = "shop";
  private static final String PASSWORD = "secret1";
  private static final String ALLOWED = "allowed";
  private static final String DENIED = "denied";
  private static final int MESSAGES = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final KafkaBroker broker = KafkaBroker.builder().account(USER, PASSWORD).start();
  private final Queue<RelayEvent> events = new ConcurrentLinkedQueue<>();
  private final Outledger outledger = outledger();

  @AfterEach
  void stop() {
    outledger.close();
    broker.close();
  }

  private static Outledger outledger() {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    PostgreSql.schema().apply(database);
    return Outledger.builder(database).build();
  }

  @Test
  void topicThatIsDeniedIsSuspectedWhileOthersFlowAndFlowsOnceItIsAllowed() throws Exception {
    createTopics();
    broker.allow(USER, ALLOWED);
    try (RunningRelay relay = start(PASSWORD);
        ReceivedTexts allowed = new ReceivedTexts(broker.bootstrapServers(), ALLOWED);
        ReceivedTexts denied = new ReceivedTexts(broker.bootstrapServers(), DENIED)) {
      append();
      await("the allowed topic", relay, () -> allowed.count() >= MESSAGES);
      await("the breaker", relay, () -> !events(RelayEvent.BreakerOpened.class).isEmpty());
      assertThat(events(RelayEvent.BreakerOpened.class))
          .singleElement()
          .satisfies(opened -> assertThat(opened.topic()).isEqualTo(DENIED))
          .satisfies(opened -> assertThat(opened.reason()).contains("Authorization"));
      assertThat(events(RelayEvent.OutageBegan.class)).isEmpty();
      assertThat(denied.count()).isZero();
      assertThat(parked()).isLessThanOrEqualTo(20);
      broker.allow(USER, DENIED);
      await("the denied topic", relay, () -> denied.count() >= MESSAGES && parked() == 0);
      assertThat(denied.byKey()).hasSize(MESSAGES);
      assertThat(denied.count()).isEqualTo(MESSAGES);
      assertThat(allowed.count()).isEqualTo(MESSAGES);
    }
  }

  @Test
  void wrongPasswordIsAnOutageAndParksNothing() throws Exception {
    createTopics();
    broker.allow(USER, ALLOWED);
    broker.allow(USER, DENIED);
    append();
    try (RunningRelay relay = start("wrong")) {
      await("outages", relay, () -> events(RelayEvent.OutageBegan.class).size() >= 3);
      assertThat(events(RelayEvent.OutageBegan.class))
          .allSatisfy(met -> assertThat(met.reason()).containsAnyOf("Authentication", "close"))
          .anySatisfy(met -> assertThat(met.reason()).contains("Authentication"));
    }
    assertThat(parked()).isZero();
    assertThat(events(RelayEvent.Parked.class)).isEmpty();
    assertThat(events(RelayEvent.BreakerOpened.class)).isEmpty();
    try (RunningRelay relay = start(PASSWORD);
        ReceivedTexts allowed = new ReceivedTexts(broker.bootstrapServers(), ALLOWED);
        ReceivedTexts denied = new ReceivedTexts(broker.bootstrapServers(), DENIED)) {
      await(
          "everything with the right password",
          relay,
          () -> allowed.count() == MESSAGES && denied.count() == MESSAGES);
    }
  }

  private void createTopics() {
    broker.createTopic(ALLOWED, 2, Map.of());
    broker.createTopic(DENIED, 2, Map.of());
  }

  private RunningRelay start(String password) {
    String login =
        "org.apache.kafka.common.security.plain.PlainLoginModule required"
            + " username=\"%s\" password=\"%s\";".formatted(USER, password);
    return outledger
        .relay("kafka")
        .listener(events::add)
        .to(
            KafkaPublisher.with(
                Map.of(
                    "bootstrap.servers",
                    broker.securedServers(),
                    "security.protocol",
                    "SASL_PLAINTEXT",
                    "sasl.mechanism",
                    "PLAIN",
                    "sasl.jaas.config",
                    login)))
        .start();
  }

  private void append() throws Exception {
    outledger
        .transactions()
        .run(
            connection ->
                outledger
                    .outbox()
                    .append(
                        connection,
                        IntStream.range(0, MESSAGES)
                            .boxed()
                            .flatMap(i -> Stream.of(message(ALLOWED, i), message(DENIED, i)))
                            .toList()));
  }

  private static Message message(String topic, int number) {
    return Message.to(topic, "test.counted")
        .key(topic + number)
        .payload(Integer.toString(number).getBytes(UTF_8))
        .build();
  }

  private int parked() {
    ParkedCounts counts = outledger.admin().subscriptions().get(0).parked();
    return (int)
        Stream.of(counts.retrying(), counts.held(), counts.dead()).mapToLong(Count::number).sum();
  }

  private void await(String what, RunningRelay relay, Await.Condition condition) {
    Await.until(
        () -> what + ", " + relay.state() + ": " + events.stream().limit(100).toList(),
        PATIENCE,
        condition);
  }

  private <E extends RelayEvent> List<E> events(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
