// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.servers.Await;
import io.outledger.servers.Mosquitto;
import io.outledger.servers.Ports;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each failure of an MQTT broker means for a message. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MqttPublisherFaultsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(8);
  private static final Duration SHORT = Duration.ofMillis(1_200);

  private final ProxiedMqtt mqtt = ProxiedMqtt.start("allow_anonymous true\nmax_packet_size 10000");

  MqttPublisherFaultsIT() {
    mqtt.observe("orders/#");
  }

  /** After a crash the broker has forgotten its subscribers, too. */
  @AfterEach
  void mend() {
    mqtt.line.pass();
    mqtt.observe("orders/#");
  }

  @AfterAll
  void close() {
    mqtt.close();
  }

  private MqttPublisher publisher() {
    return MqttPublisher.to(mqtt.broker("relay"));
  }

  private static Message message(String topic, String key) {
    return Message.to(topic, "order.placed").key(key).build();
  }

  private static Outcome outcome(MqttPublisher publisher, Message message) {
    try (Sender sender = new Sender(publisher, DELIVERY_TIME_MAX)) {
      return sender.sendAll(List.of(message)).get(0);
    }
  }

  private static void assertRejected(Outcome outcome, Kind kind, String part) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected -> {
              assertThat(rejected.kind()).isEqualTo(kind);
              assertThat(rejected.reason()).contains(part);
            });
  }

  private static void assertUnavailable(Outcome outcome, boolean isFateKnown, String part) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class,
            unavailable -> {
              assertThat(unavailable.isFateKnown()).isEqualTo(isFateKnown);
              assertThat(unavailable.reason()).contains(part);
            });
  }

  @Test
  void addressWithoutABrokerIsUnreachable() {
    int port = Ports.free();
    assertUnavailable(
        outcome(
            MqttPublisher.to(MqttBroker.at("127.0.0.1", port, "relay")), message("orders/a", "k")),
        true,
        "cannot connect to the MQTT broker at 127.0.0.1:" + port);
  }

  @Test
  void brokerThatWantsCredentialsSaysSo() {
    try (Mosquitto secured = Mosquitto.start("allow_anonymous false")) {
      MqttBroker broker =
          MqttBroker.at("127.0.0.1", secured.port(), "relay")
              .client(
                  builder ->
                      builder
                          .simpleAuth()
                          .username("shop")
                          .password("s3cret".getBytes(UTF_8))
                          .applySimpleAuth());
      Outcome outcome = outcome(MqttPublisher.to(broker), message("orders/a", "k"));
      assertUnavailable(outcome, true, "NOT_AUTHORIZED");
      assertThat(outcome.toString()).doesNotContain("s3cret");
    }
  }

  @Test
  void topicWithoutASubscriberIsHeldBackAndTheOthersContinue() {
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message("unheard/a", "k"), message("orders/a", "l")));
      assertRejected(outcomes.get(0), Kind.TOPIC, "Subscribe to the topic first");
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
    }
    assertThat(outcome(publisher().allowNoSubscribers(), message("unheard/a", "k")))
        .isEqualTo(Outcome.PUBLISHED);
  }

  /** No message has a line feed in a header. */
  @ParameterizedTest
  @ValueSource(ints = {'\t', 0x01, 0x7f, 0x85, 0xfdd0, 0xfffe, 0xffff})
  void textForWhichTheBrokerWouldHangUpIsRefused(int character) {
    String text = "a" + Character.toString(character);
    Message header = Message.to("orders/a", "order.placed").header("note", text).build();
    assertRefusedBesideAnother(header, "note has a control character");
  }

  @ParameterizedTest
  @ValueSource(ints = {'\t', '\n', 0x01, 0x7f, 0x85, 0xfdd0, 0xfffe, 0xffff})
  void keyAndTopicForWhichTheBrokerWouldHangUpAreRefused(int character) {
    String text = "a" + Character.toString(character);
    assertRefusedBesideAnother(message("orders/a", text), "partitionkey has a control character");
    assertRefusedBesideAnother(message(text, "k"), "is not an MQTT topic");
  }

  /** No message has a control character in its type; the others may be there. */
  @ParameterizedTest
  @ValueSource(ints = {0xfdd0, 0xfffe, 0xffff})
  void typeForWhichTheBrokerWouldHangUpIsRefused(int character) {
    Message odd = Message.to("orders/a", "a" + Character.toString(character)).build();
    assertRefusedBesideAnother(odd, "type has a control character");
  }

  private void assertRefusedBesideAnother(Message odd, String part) {
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes = sender.sendAll(List.of(odd, message("orders/a", "k")));
      assertRejected(outcomes.get(0), Kind.FINAL, part);
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  @Test
  void messageThatTheBrokerWouldCutTheConnectionForIsNotSent() {
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      Message fits = Message.to("orders/a", "t").payload(new byte[9_500]).build();
      // Its headers make it too large.
      Message large = Message.to("orders/a", "t").payload(new byte[9_950]).build();
      List<Outcome> outcomes = sender.sendAll(List.of(fits, large, message("orders/a", "k")));
      assertRejected(outcomes.get(1), Kind.DEFINITE, "10000");
      assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsOnly(Outcome.PUBLISHED);
    }
  }

  @Test
  void topicsThatCannotBePublishedToAreRefused() {
    for (String topic : List.of("a/+", "a/#", "$SYS/a", "$share/a/b", "a\tb")) {
      assertRejected(outcome(publisher(), message(topic, "k")), Kind.FINAL, "is not an MQTT topic");
    }
    assertThat(outcome(publisher().topics(topic -> "orders/mapped"), message("a/+", "k")))
        .isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void anotherClientOfTheSameIdIsSaidWithItsRemedy() {
    Mqtt5Connect connect = Mqtt5Connect.builder().build();
    MqttBroker.Link first = mqtt.broker("same").link().connect(connect).join();
    MqttBroker.Link second = mqtt.broker("same").link().connect(connect).join();
    Await.until("the broker has decided", DELIVERY_TIME_MAX, () -> !first.isOpen());
    assertUnavailable(
        MqttOutcomes.failed(new IllegalStateException("ended"), first),
        false,
        "with the client id 'same'; give each publisher and receiver an id of its own");
    assertThat(second.isOpen()).isTrue();
    second.close();
  }

  @Test
  void silentBrokerLeavesTheFateUnknown() {
    try (Sender sender = new Sender(publisher(), SHORT)) {
      sender.connect(message("orders/a", "a"));
      mqtt.line.swallowReplies();
      assertUnavailable(
          sender.sendAll(List.of(message("orders/a", "a"))).get(0), false, "did not answer");
    }
  }

  @Test
  void lineThatBreaksLeavesTheFateUnknown() {
    try (Sender first = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      first.sendAll(List.of(message("orders/a", "a")));
      mqtt.line.swallowReplies();
      first.send(message("orders/a", "b"));
      mqtt.line.cut();
      first.awaitOutcomes();
      assertUnavailable(first.outcomes().get(1), false, "ended");
    }
  }

  @Test
  void brokerThatNeverAnswersAConnectionIsUnreachable() {
    mqtt.line.swallowRequests();
    try (Sender sender = new Sender(publisher(), SHORT)) {
      assertUnavailable(
          sender.sendAll(List.of(message("orders/a", "a"))).get(0), true, "not connected");
    }
  }

  @Test
  void clientConnectsAgainAfterTheBrokerWasKilled() {
    try (Sender sender = new Sender(publisher().allowNoSubscribers(), DELIVERY_TIME_MAX)) {
      sender.sendAll(List.of(message("orders/a", "a")));
      mqtt.server.kill();
      Await.until(
          "the outage is noticed",
          DELIVERY_TIME_MAX,
          () ->
              sender.sendAll(List.of(message("orders/a", "b"))).get(0)
                  instanceof Outcome.Unavailable);
      mqtt.server.restart();
      Await.until(
          "the client publishes again",
          DELIVERY_TIME_MAX,
          () -> sender.sendAll(List.of(message("orders/a", "c"))).contains(Outcome.PUBLISHED));
    }
  }
}
