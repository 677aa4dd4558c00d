// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests what arrives at the destination, and how often an outcome is reported. */
abstract class DeliverContractTests extends PublisherContractTests {

  private static final int KEYS = 7;

  @Test
  void eachMessageHasExactlyOneOutcome() {
    Sender sender = sender();
    List<Message> messages = messages(200, KEYS);
    assertThat(sender.sendAll(messages)).containsOnly(Outcome.PUBLISHED);
    arrivalsOf(messages);
    sender.close();
    assertThat(sender.outcomes()).hasSize(200).containsOnly(Outcome.PUBLISHED);
  }

  @Test
  void eachMessageArrivesOnce() {
    List<Message> messages = messages(50, KEYS);
    try (Sender sender = sender()) {
      sender.sendAll(messages);
      assertThat(arrivalsOf(messages))
          .extracting(received -> UUID.fromString(received.id()))
          .containsExactlyInAnyOrderElementsOf(messages.stream().map(Message::id).toList());
    }
  }

  @Test
  void messagesOfAKeyArriveInOrder() {
    List<Message> messages = messages(200, KEYS);
    try (Sender sender = sender()) {
      sender.sendAll(messages);
    }
    List<Received> arrivals = arrivalsOf(messages);
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      assertThat(firstArrivals(arrivals, key)).isEqualTo(idsOfKey(messages, key));
    }
  }

  @Test
  void messagesOfAKeyArriveInOrderThroughClientsInTurn() {
    List<Message> messages = messages(30, 2);
    for (int from = 0; from < messages.size(); from += 10) {
      try (Sender sender = sender()) {
        sender.sendAll(messages.subList(from, from + 10));
      }
    }
    List<Received> arrivals = arrivalsOf(messages);
    assertThat(firstArrivals(arrivals, "key-0")).isEqualTo(idsOfKey(messages, "key-0"));
    assertThat(firstArrivals(arrivals, "key-1")).isEqualTo(idsOfKey(messages, "key-1"));
  }

  @Test
  void messageArrivesAsItIs() {
    Message message = message("schlüssel 🔑").copy().version(7).header("tenant", "a=b c%y").build();
    Received received = arrival(message);
    assertThat(received.id()).isEqualTo(message.id().toString());
    assertThat(received.key()).isEqualTo(message.key());
    assertThat(received.type()).isEqualTo(message.type());
    assertThat(received.version()).isEqualTo(7);
    assertThat(received.time()).isEqualTo(message.time());
    assertThat(received.headers()).containsEntry("tenant", "a=b c%y");
  }

  @Test
  void messageWithoutKeyArrivesWithoutOne() {
    Message message = Message.to(fixture().topic(), "order.placed").build();
    assertThat(arrival(message).key()).isNull();
  }

  @Test
  void emptyPayloadArrivesEmpty() {
    assertThat(arrival(message("a", new byte[0])).payload()).isEmpty();
  }

  @Test
  void tombstoneArrivesAsOne() {
    Received tombstone =
        arrival(Message.to(fixture().topic(), "state").key("a").tombstone().build());
    assertThat(tombstone.headers()).containsEntry(Message.TOMBSTONE_HEADER, "true");
    assertThat(tombstone.payload()).isEmpty();
    assertThat(tombstone.key()).isEqualTo("a");
  }

  @Test
  void payloadThatIsNoTextArrivesUnchanged() {
    byte[] everyByte = new byte[512];
    for (int i = 0; i < everyByte.length; i++) {
      everyByte[i] = (byte) i;
    }
    assertThat(arrival(message("a", everyByte)).payload()).isEqualTo(everyByte);
    byte[] brokenText = {0, (byte) 0xc3, 0x28, (byte) 0xed, (byte) 0xa0, (byte) 0x80, '\r', '\n'};
    assertThat(arrival(message("b", brokenText)).payload()).isEqualTo(brokenText);
  }

  @Test
  void largePayloadArrivesUnchanged() {
    byte[] payload = new byte[200_000];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) (i * 31 + i / 251);
    }
    assertThat(arrival(message("a", payload)).payload()).isEqualTo(payload);
  }

  private Received arrival(Message message) {
    try (Sender sender = sender()) {
      assertThat(sender.sendAll(List.of(message))).containsExactly(Outcome.PUBLISHED);
    }
    Received found = null;
    for (Received received : arrivalsOf(List.of(message))) {
      if (received.id().equals(message.id().toString())) {
        found = received;
      }
    }
    return requireNonNull(found, "awaitArrivals returned without the message it waited for");
  }
}
