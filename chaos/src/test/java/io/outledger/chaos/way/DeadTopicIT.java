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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A topic that the broker does not have, beside one that it has, with every default. */
class DeadTopicIT {

  private static final String HEALTHY = "dead-topic-healthy";
  private static final String DEAD = "dead-topic-dead";
  private static final int MESSAGES = 4_000;
  private static final int KEYS = 2_000;

  /** As many keys are parked as it takes to suspect the topic, and one behind each may be held. */
  private static final int PARKED_MAX = 2 * 20;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final KafkaBroker broker = KafkaBroker.shared();
  private final PGSimpleDataSource database = new PGSimpleDataSource();
  private final Queue<RelayEvent> events = new ConcurrentLinkedQueue<>();

  @Test
  void healthyTopicFlowsAndTheDeadOneIsDeliveredInOrderOnceItIsThere() throws Exception {
    database.setURL(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    PostgreSql.schema().apply(database);
    broker.createTopic(HEALTHY, 3, Map.of());
    try (Outledger outledger = Outledger.builder(database).build();
        RunningRelay relay = start(outledger);
        ReceivedTexts healthy = new ReceivedTexts(broker.bootstrapServers(), HEALTHY)) {
      append(outledger, 0, MESSAGES);
      await("all of the healthy topic", relay, () -> healthy.count() == MESSAGES);
      await("a breaker opens", relay, () -> !events(RelayEvent.BreakerOpened.class).isEmpty());
      append(outledger, MESSAGES, MESSAGES + KEYS / 2);
      await("more of it", relay, () -> healthy.count() == MESSAGES + KEYS / 2);
      assertThat(parked(outledger)).isLessThanOrEqualTo(PARKED_MAX + KEYS / 100);
      assertThat(events(RelayEvent.BreakerOpened.class))
          .extracting(RelayEvent.BreakerOpened::topic)
          .containsExactly(DEAD);
      assertThat(events(RelayEvent.OutageBegan.class)).isEmpty();
      broker.createTopic(DEAD, 3, Map.of());
      try (ReceivedTexts late = new ReceivedTexts(broker.bootstrapServers(), DEAD)) {
        await("all of the dead topic", relay, () -> late.count() >= MESSAGES + KEYS / 2);
        await("nothing is parked", relay, () -> parked(outledger) == 0);
        assertThat(late.byKey()).isEqualTo(appended(DEAD));
      }
      assertThat(healthy.byKey()).isEqualTo(appended(HEALTHY));
      assertThat(events(RelayEvent.BreakerClosed.class))
          .extracting(RelayEvent.BreakerClosed::recovered)
          .containsExactly(true);
      assertThat(events(RelayEvent.Died.class)).isEmpty();
      assertThat(events(RelayEvent.OvertakenByKey.class)).isEmpty();
    }
  }

  private RunningRelay start(Outledger outledger) {
    return outledger
        .relay("kafka")
        .listener(events::add)
        .to(KafkaPublisher.with(Map.of("bootstrap.servers", broker.bootstrapServers())))
        .start();
  }

  /** Both topics in turn, so that each page holds messages of both; each with keys of its own. */
  private static void append(Outledger outledger, int from, int to) throws Exception {
    for (int first = from; first < to; first += 500) {
      int begin = first;
      outledger
          .transactions()
          .run(
              connection -> {
                for (int i = begin; i < Math.min(to, begin + 500); i++) {
                  outledger.outbox().append(connection, message(HEALTHY, i), message(DEAD, i));
                }
              });
    }
  }

  private static Message message(String topic, int number) {
    return Message.to(topic, "test.counted")
        .key(topic + number % KEYS)
        .payload(Integer.toString(number).getBytes(UTF_8))
        .build();
  }

  private static Map<String, List<Integer>> appended(String topic) {
    Map<String, List<Integer>> byKey = new TreeMap<>();
    for (int i = 0; i < MESSAGES + KEYS / 2; i++) {
      byKey.computeIfAbsent(topic + i % KEYS, key -> new ArrayList<>()).add(i);
    }
    return byKey;
  }

  private int parked(Outledger outledger) {
    ParkedCounts counts = outledger.admin().subscriptions().get(0).parked();
    return (int)
        Stream.of(counts.retrying(), counts.held(), counts.dead()).mapToLong(Count::number).sum();
  }

  private void await(String what, RunningRelay relay, BooleanSupplier condition) {
    Await.until(
        () -> what + ", " + relay.state() + ": " + events.stream().limit(100).toList(),
        PATIENCE,
        condition::getAsBoolean);
  }

  private <E extends RelayEvent> List<E> events(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
