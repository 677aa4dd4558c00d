// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fixture for each test of a publisher, and the sentences in which the tests are told. */
abstract class PublisherContractTests {

  static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(10);
  static final Duration SHORT_DELIVERY_TIME_MAX = Duration.ofSeconds(3);

  private static final int ATTEMPTS = 20;

  private PublisherFixture fixture;

  abstract PublisherFixture openFixture();

  @BeforeEach
  final void open() {
    fixture = openFixture();
  }

  @AfterEach
  final void close() throws Exception {
    fixture.close();
  }

  final PublisherFixture fixture() {
    return fixture;
  }

  final Sender sender() {
    return new Sender(fixture.publisher(), DELIVERY_TIME_MAX);
  }

  final Message message(String key) {
    return message(key, key.getBytes(StandardCharsets.UTF_8));
  }

  final Message message(String key, byte[] payload) {
    return Message.to(fixture.topic(), "order.placed").key(key).payload(payload).build();
  }

  /** Returns messages of keys in turn. */
  final List<Message> messages(int count, int keys) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(message("key-" + i % keys));
    }
    return messages;
  }

  /**
   * Publishes messages, through a new client for each attempt, as a relay does: what has just
   * started may be slow.
   */
  final void publishAll(List<Message> messages) {
    List<Message> left = messages;
    for (int i = 0; i < ATTEMPTS && !left.isEmpty(); i++) {
      try (Sender sender = sender()) {
        left = sender.sendInOrder(left);
      } catch (DestinationUnavailableException e) {
        // The next client may reach it.
      }
    }
    assertThat(left).as("messages that could not be published").isEmpty();
  }

  /** Checks that messages have arrived, those of each key in order where it is their first time. */
  final void assertArrivedInOrder(List<Message> messages) {
    List<Received> arrivals = arrivalsOf(messages);
    Set<UUID> handedOver = messages.stream().map(Message::id).collect(Collectors.toSet());
    messages.stream()
        .map(Message::key)
        .distinct()
        .forEach(
            key ->
                assertThat(firstArrivals(arrivals, key))
                    .filteredOn(handedOver::contains)
                    .isEqualTo(idsOfKey(messages, key)));
  }

  final List<Received> arrivalsOf(List<Message> messages) {
    return fixture.awaitArrivals(messages.stream().map(Message::id).toList());
  }

  static List<UUID> idsOfKey(List<Message> messages, String key) {
    return messages.stream().filter(m -> key.equals(m.key())).map(Message::id).toList();
  }

  /** Returns the ids of a key's arrivals in order, each at its first arrival. */
  static List<UUID> firstArrivals(List<Received> arrivals, String key) {
    return arrivals.stream()
        .filter(received -> key.equals(received.key()))
        .map(received -> UUID.fromString(received.id()))
        .distinct()
        .toList();
  }
}
