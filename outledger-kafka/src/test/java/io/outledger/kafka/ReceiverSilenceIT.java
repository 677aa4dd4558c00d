// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Ports;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A receiver to which nothing can come says so, by either protocol of groups. */
final class ReceiverSilenceIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static final Duration SOON = Duration.ofSeconds(15);

  private final List<Received> effects = new CopyOnWriteArrayList<>();

  @AfterEach
  void stopCapturing() {
    CapturedLog.stop();
  }

  private RunningReceiver start(String servers, String topic, String protocol) {
    return KafkaReceiver.with(
            Map.of("bootstrap.servers", servers, "group.id", topic, "group.protocol", protocol))
        .topics(topic)
        .start(effects::addAll);
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void topicThatDoesNotExistIsToldAndThenReceived(String protocol) {
    String topic = "not-yet-" + protocol;
    CapturedLog.start();
    try (RunningReceiver running = start(KAFKA.bootstrapServers(), topic, protocol)) {
      Await.until(
          "it is told",
          SOON,
          () -> CapturedLog.has("topic " + topic + " does not exist; create it"));
      KAFKA.createTopic(topic, 1, Map.of());
      publish(topic);
      Await.until("it is received", Duration.ofMinutes(6), () -> effects.size() == 1);
      assertThat(running.isRunning()).isTrue();
    }
  }

  private static void publish(String topic) {
    ReportedOutcomes outcomes = new ReportedOutcomes();
    try (PublisherClient client =
        KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))
            .open(Duration.ofMinutes(1), outcomes)) {
      client.publish(1, 1, Message.to(topic, "t").payload("1".getBytes(UTF_8)).build());
      assertThat(outcomes.await(1)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void brokerThatIsNotThereIsTold(String protocol) {
    String nowhere = "127.0.0.1:" + Ports.free();
    CapturedLog.start();
    try (RunningReceiver running = start(nowhere, "anything", protocol)) {
      Await.until("it is told", SOON, () -> CapturedLog.has("no answer from Kafka at " + nowhere));
      assertThat(running.isRunning()).isTrue();
    }
  }
}
