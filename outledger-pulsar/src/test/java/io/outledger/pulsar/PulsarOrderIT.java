// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.servers.Await;
import io.outledger.servers.PulsarServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That many messages of a key on their way stay in order, whatever happens to the connection. */
@Tag("long")
final class PulsarOrderIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(40);
  private static final int MANY = 1_000;

  private final PulsarServer server = SharedPulsar.server();

  @AfterEach
  void mend() {
    server.line().pass();
  }

  private static PulsarPublisher publisher() {
    return PulsarPublisher.to(SharedPulsar.cluster());
  }

  private static List<Message> ofOneKey(String topic, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Message.to(topic, "t").key("k").build())
        .toList();
  }

  private static List<UUID> ids(List<Message> messages) {
    return messages.stream().map(Message::id).toList();
  }

  /** Returns everything in a topic, in its order, once some are there. */
  private static List<UUID> arrivals(PulsarFixture fixture, List<Message> awaited) {
    return fixture.awaitArrivals(ids(awaited)).stream()
        .map(Received::id)
        .map(UUID::fromString)
        .toList();
  }

  @Test
  void messagesOfAKeyAreOnTheirWayTogether() throws Exception {
    PulsarFixture fixture = new PulsarFixture();
    List<Message> messages = ofOneKey(fixture.topic(), MANY);
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      sender.sendAll(ofOneKey(fixture.topic(), 1));
      // One at a time they would take a hundred seconds, more than the delivery time.
      server.line().delay(Duration.ofMillis(50));
      assertThat(sender.sendAll(messages)).containsOnly(Outcome.PUBLISHED);
    }
    server.line().pass();
    assertThat(arrivals(fixture, messages)).containsSubsequence(ids(messages));
    fixture.close();
  }

  @Test
  void connectionThatIsCutCostsNeitherOrderNorMessages() throws Exception {
    PulsarFixture fixture = new PulsarFixture();
    List<Message> messages = ofOneKey(fixture.topic(), MANY);
    List<Outcome> outcomes = sentWithCuts(messages);
    assertThat(outcomes).containsOnly(Outcome.PUBLISHED);
    assertThat(arrivals(fixture, messages).stream().distinct())
        .containsExactlyElementsOf(ids(messages));
    fixture.close();
  }

  @Test
  void brokerWithDeduplicationStoresWhatIsSentAgainOnce() throws Exception {
    SharedPulsar.createNamespace("once");
    server.admin("POST", "namespaces/public/once/deduplication", "true");
    PulsarFixture fixture = new PulsarFixture("public/once/" + SharedPulsar.newTopic());
    List<Message> messages = ofOneKey(fixture.topic(), MANY);
    assertThat(sentWithCuts(messages)).containsOnly(Outcome.PUBLISHED);
    assertThat(arrivals(fixture, messages)).containsExactlyElementsOf(ids(messages));
    fixture.close();
  }

  private List<Outcome> sentWithCuts(List<Message> messages) {
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      for (int from = 0; from < MANY; from += MANY / 4) {
        int before = sender.outcomeCount();
        messages.subList(from, from + MANY / 4).forEach(sender::send);
        Await.until(
            "some are acknowledged", DELIVERY_TIME_MAX, () -> sender.outcomeCount() > before + 10);
        server.line().cut();
      }
      sender.awaitOutcomes();
      return sender.outcomes();
    }
  }

  @Test
  void partitionsKeepTheOrderOfKeys() throws Exception {
    PulsarFixture fixture = new PulsarFixture();
    server.admin("PUT", "persistent/public/default/" + fixture.topic() + "/partitions", "3");
    List<Message> messages =
        IntStream.range(0, 300)
            .mapToObj(i -> Message.to(fixture.topic(), "t").key("k" + i % 10).build())
            .toList();
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      assertThat(sender.sendAll(messages)).containsOnly(Outcome.PUBLISHED);
    }
    List<UUID> arrived = arrivals(fixture, messages);
    assertThat(arrived).hasSize(300);
    for (int key = 0; key < 10; key++) {
      String of = "k" + key;
      assertThat(arrived)
          .containsSubsequence(
              ids(messages.stream().filter(message -> of.equals(message.key())).toList()));
    }
    fixture.close();
  }

  @Test
  void whatAKilledBrokerAcknowledgedIsThereAndInOrder() throws Exception {
    PulsarFixture fixture = new PulsarFixture();
    List<Message> messages = ofOneKey(fixture.topic(), 2 * MANY);
    List<Outcome> outcomes;
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      messages.subList(0, MANY).forEach(sender::send);
      Await.until(
          "some are acknowledged", DELIVERY_TIME_MAX, () -> sender.outcomeCount() > MANY / 5);
      server.kill();
      messages.subList(MANY, 2 * MANY).forEach(sender::send);
      server.restart();
      sender.awaitOutcomes();
      outcomes = sender.outcomes();
    }
    assertThat(outcomes).hasOnlyElementsOfTypes(Outcome.Published.class, Outcome.Unavailable.class);
    int published = (int) outcomes.stream().filter(Outcome.PUBLISHED::equals).count();
    assertThat(outcomes.subList(0, published)).containsOnly(Outcome.PUBLISHED);
    List<Message> rest = messages.subList(published, messages.size());
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      assertThat(sender.sendAll(rest)).allMatch(Outcome.PUBLISHED::equals);
    }
    assertThat(arrivals(fixture, messages).stream().distinct())
        .containsExactlyElementsOf(ids(messages));
    fixture.close();
  }
}
