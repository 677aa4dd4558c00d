// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.receive.RunningReceiver;
import io.outledger.relay.options.Backoff;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.KafkaBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a message carries, and how the broker is entered, is in no log line and no exception. */
final class KafkaCanaryIT {

  private static final String PAYLOAD = "CANARYpayload";
  private static final String HEADER = "CANARYheader";
  private static final String KEY = "CANARYkey";
  private static final String PASSWORD = "CANARYpassword";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final KafkaBroker KAFKA =
      KafkaBroker.builder().account("shop", PASSWORD + "1").start();

  private static final Map<String, Object> OPEN =
      Map.of("bootstrap.servers", KAFKA.bootstrapServers());

  private final List<String> told = new ArrayList<>();

  @AfterAll
  static void stop() {
    KAFKA.close();
  }

  @BeforeEach
  void capture() {
    CapturedLog.start();
  }

  /** At the end of each test, so that none is without it. */
  @AfterEach
  void nothingIsTold() {
    told.add(CapturedLog.stop());
    assertThat(told)
        .allSatisfy(
            text ->
                assertThat(text)
                    .doesNotContain(PAYLOAD, HEADER, KEY, PASSWORD)
                    .doesNotContain(hex(PAYLOAD), hex(HEADER), hex(KEY), hex(PASSWORD))
                    .doesNotContain(decimals(PAYLOAD), decimals(HEADER), decimals(KEY)));
  }

  private static Map<String, Object> settings(String password) {
    return login(
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"shop\""
            + " password=\"%s\";".formatted(password));
  }

  private static Map<String, Object> login(String jaas) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", KAFKA.securedServers());
    settings.put("security.protocol", "SASL_PLAINTEXT");
    settings.put("sasl.mechanism", "PLAIN");
    settings.put("sasl.jaas.config", jaas);
    return settings;
  }

  private static Message canary(String topic) {
    return Message.to(topic, "t")
        .key(KEY)
        .header("tenant", HEADER)
        .payload(PAYLOAD.getBytes(UTF_8))
        .build();
  }

  @Test
  void failuresOfAPublisherTellNothing() {
    KAFKA.createTopic("small", 1, Map.of("max.message.bytes", "100"));
    KAFKA.allow("shop", "small");
    publishes(settings(PASSWORD + "2"), "small", "Authentication");
    publishes(settings(PASSWORD + "1"), "small", "RecordTooLarge");
    publishes(settings(PASSWORD + "1"), "denied", "Authorization");
    publishes(settings(PASSWORD + "1"), "not a topic", "topic");
  }

  @Test
  void settingsThatCannotWorkTellNothing() {
    String module = "org.apache.kafka.common.security.plain.PlainLoginModule required ";
    for (String jaas :
        List.of(
            PASSWORD,
            module + "username=\"shop\" password=\"" + PASSWORD + "\"",
            module + "password=" + PASSWORD + " " + PASSWORD + ";",
            "no.such.Module required password=\"" + PASSWORD + "\";")) {
      Throwable failure =
          catchThrowable(
              () -> KafkaPublisher.with(login(jaas)).open(Duration.ofSeconds(3), (p, o) -> {}));
      assertThat(failure).as(jaas).isNotNull();
      told.add(CapturedLog.textOf(failure));
      Map<String, Object> consumer = login(jaas);
      consumer.put("group.id", "g");
      KafkaReceiver receiver = KafkaReceiver.with(consumer).topics("t");
      told.add(CapturedLog.textOf(catchThrowable(() -> receiver.start(batch -> {}))));
    }
    told.add(KafkaPublisher.with(settings(PASSWORD)).toString());
  }

  @Test
  void failuresOfAReceiverTellNothing() {
    List<Map<String, String>> bad =
        List.of(
            Map.of("tenant", HEADER),
            with("ce_specversion", HEADER),
            with("ce_time", HEADER),
            with("ce_dataversion", HEADER));
    for (int i = 0; i < bad.size(); i++) {
      String topic = "bad-" + i;
      KAFKA.createTopic(topic, 1, Map.of());
      send(topic, bad.get(i));
      receives(OPEN, topic, "must not be called");
    }
    KAFKA.createTopic("good", 1, Map.of());
    send("good", Records.attributes("1"));
    receives(OPEN, "good", "the work failed");
  }

  private void publishes(Map<String, Object> settings, String topic, String reason) {
    ReportedOutcomes outcomes = new ReportedOutcomes();
    try (PublisherClient client =
        KafkaPublisher.with(settings).open(Duration.ofSeconds(20), outcomes)) {
      client.publish(1, 1, canary(topic));
      Outcome outcome = outcomes.await(1);
      assertThat(outcome.toString()).contains(reason);
      told.add(outcome.toString());
      told.add(client.toString());
    }
  }

  private static boolean isRefusedTwice(String topic) {
    return CapturedLog.count(" at %s-0@0 (failure ".formatted(topic)) >= 2;
  }

  /** Until the record was refused more than once. */
  private void receives(Map<String, Object> settings, String topic, String message) {
    Map<String, Object> own = new HashMap<>(settings);
    own.put("group.id", topic);
    KafkaReceiver receiver =
        KafkaReceiver.with(own)
            .backoff(new Backoff(Duration.ofMillis(10), Duration.ofMillis(20)))
            .topics(topic);
    told.add(receiver.toString());
    try (RunningReceiver running =
        receiver.start(
            batch -> {
              throw new IllegalStateException(message);
            })) {
      Await.until(
          () -> "the record of " + topic + " is refused, " + running.failure(),
          PATIENCE,
          () -> isRefusedTwice(topic));
    }
  }

  private static Map<String, String> with(String name, String value) {
    Map<String, String> attributes = new HashMap<>(Records.attributes("1"));
    attributes.put(name, value);
    return attributes;
  }

  private static void send(String topic, Map<String, String> headers) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(OPEN, bytes, bytes)) {
      ProducerRecord<byte[], byte[]> sent =
          new ProducerRecord<>(topic, KEY.getBytes(UTF_8), PAYLOAD.getBytes(UTF_8));
      headers.forEach((name, value) -> sent.headers().add(name, value.getBytes(UTF_8)));
      producer.send(sent).get();
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(UTF_8));
  }

  /** As an array of bytes is printed. */
  private static String decimals(String text) {
    String array = Arrays.toString(text.getBytes(UTF_8));
    return array.substring(1, array.length() - 1);
  }
}
