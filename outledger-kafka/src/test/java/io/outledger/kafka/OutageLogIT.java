// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.KafkaProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An outage is told calmly and with its reason, and a start that goes well is none. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
final class OutageLogIT {

  private static final String CLIENT = "outage-log";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final KafkaProcess kafka = KafkaProcess.start();

  @AfterEach
  void stopCapturing() {
    CapturedLog.stop();
  }

  @AfterAll
  void close() {
    kafka.close();
  }

  private KafkaPublisher publisher() {
    return KafkaPublisher.with(
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "client.id", CLIENT));
  }

  private void awaitArrived(String topic, int count) {
    Await.until(
        "all messages have arrived",
        PATIENCE,
        () -> TopicRecords.texts(kafka.bootstrapServers(), topic).size() >= count);
  }

  @Test
  void startWithABacklogIsNoOutage() {
    kafka.createTopic("backlog", 4, Map.of());
    try (RelayToKafka relay = new RelayToKafka(publisher())) {
      IntStream.rangeClosed(1, 20_000).forEach(i -> relay.append("backlog", "k" + i % 500, i));
      relay.start();
      awaitArrived("backlog", 20_000);
      assertThat(relay.events(RelayEvent.OutageBegan.class)).isEmpty();
      assertThat(relay.events(RelayEvent.LeaseLost.class)).isEmpty();
    }
  }

  @Test
  void outageTellsItsReasonAndFillsNoLog() {
    kafka.createTopic("calm", 1, Map.of());
    try (RelayToKafka relay = new RelayToKafka(publisher()).start()) {
      IntStream.rangeClosed(1, 100).forEach(i -> relay.append("calm", "k" + i % 5, i));
      awaitArrived("calm", 100);
      kafka.kill();
      IntStream.rangeClosed(101, 2_000).forEach(i -> relay.append("calm", "k" + i % 5, i));
      Await.until("the outage is probed", PATIENCE, () -> outages(relay).size() >= 2);
      long started = System.nanoTime();
      CapturedLog.start();
      Await.until("it has lasted", PATIENCE, () -> seconds(started) >= 6);
      List<String> lines = CapturedLog.stop().lines().filter(OutageLogIT::isOfTheRelay).toList();
      long seconds = seconds(started);
      kafka.restart();
      awaitArrived("calm", 2_000);
      assertThat(outages(relay).get(1))
          .contains("no answer from Kafka at " + kafka.bootstrapServers());
      assertThat(outages(relay))
          .noneMatch(reason -> reason.contains("topic") || reason.contains("closed"));
      assertThat(lines.stream().filter(line -> line.contains("Config values")))
          .as("clients opened")
          .isEmpty();
      assertThat(lines.stream().filter(line -> line.startsWith("WARN")))
          .hasSizeLessThanOrEqualTo((int) seconds + 2);
      assertThat(lines).hasSizeLessThanOrEqualTo(3 * (int) seconds);
    }
  }

  private static List<String> outages(RelayToKafka relay) {
    return relay.events(RelayEvent.OutageBegan.class).stream()
        .map(RelayEvent.OutageBegan::reason)
        .toList();
  }

  private static long seconds(long started) {
    return Duration.ofNanos(System.nanoTime() - started).toSeconds();
  }

  private static boolean isOfTheRelay(String line) {
    return line.contains(CLIENT) || line.contains("relay kafka") || line.contains("Config values");
  }
}
