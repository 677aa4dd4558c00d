// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxRetention;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.Redelivery;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Ports;
import io.outledger.testing.InMemoryReceiverStore;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whether an inbox remembers for as long as a topic keeps its records. */
final class TopicRetentionIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String MONTH_MS = Long.toString(Duration.ofDays(30).toMillis());
  private static final String TOLD =
      "OUT-018 the inbox forgets ids after 14 days, but topic month (retention.ms; all of it to a"
          + " group without a member for 7 days) may deliver a message again for 30 days";

  private final InMemoryReceiverStore store =
      new InMemoryReceiverStore("stock", TimeSource.system(), (message, attempt) -> {});

  @AfterEach
  void stopCapturing() {
    CapturedLog.stop();
  }

  private static TopicRetention retention(String address, boolean fromEnd) {
    return new TopicRetention(
        () ->
            Admin.create(
                Map.of(
                    "bootstrap.servers", address,
                    "request.timeout.ms", 2_000,
                    "default.api.timeout.ms", 2_000)),
        fromEnd,
        Duration.ofSeconds(10));
  }

  private KafkaReceiver receiver(String topic) {
    store.retention(InboxRetention.DEFAULT);
    return KafkaReceiver.with(
            Map.of("bootstrap.servers", KAFKA.bootstrapServers(), "group.id", topic + "-stock"))
        .topics(topic);
  }

  @Test
  void topicsSayForHowLongTheyKeepTheirRecords() {
    KAFKA.createTopic("hour", 1, Map.of("retention.ms", "3600000"));
    KAFKA.createTopic("always", 1, Map.of("retention.ms", "-1"));
    KAFKA.createTopic("latest", 1, Map.of("cleanup.policy", "compact"));
    TopicRetention retention = retention(KAFKA.bootstrapServers(), true);
    assertThat(retention.of(List.of("hour", "always", "latest", "missing")))
        .containsExactlyInAnyOrder(
            new Redelivery("topic hour (retention.ms)", Duration.ofHours(1)),
            new Redelivery("topic always (retention.ms)", null),
            new Redelivery("topic latest (cleanup.policy)", null));
    assertThat(retention.of(List.of("hour"))).isEmpty();
  }

  @Test
  void brokerThatDoesNotAnswerSaysNothing() {
    assertThat(retention("127.0.0.1:" + Ports.free(), false).of(List.of("hour"))).isEmpty();
  }

  @Test
  void inboxThatForgetsTooSoonIsToldOrAnErrorByChoice() {
    KAFKA.createTopic("month", 1, Map.of("retention.ms", MONTH_MS));
    CapturedLog.start();
    try (RunningReceiver running = receiver("month").start(store.handler())) {
      Await.until("it says so", PATIENCE, () -> CapturedLog.has(TOLD));
      assertThat(running.isRunning()).isTrue();
    }
    KafkaReceiver strict =
        receiver("month").options(ReceiverOptions.DEFAULT.withRetentionRequired());
    try (RunningReceiver running = strict.start(store.handler())) {
      Await.until("it ends", PATIENCE, () -> !running.isRunning());
      assertThat(running.failure()).hasMessageStartingWith(TOLD);
    }
  }
}
