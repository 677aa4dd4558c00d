// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.receive.OpenReceiver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What arrives, in which order, and how often it takes effect. */
abstract class ReceiverTakeContractTests extends ReceiverContractTests {

  @Test
  final void messagesOfAKeyComeInOrderAndOnce() {
    List<Message> messages = publish(messages(300, 7));
    start();
    awaitHandled(messages);
    assertHandledOnceInOrder(messages);
  }

  @Test
  final void messagesThatArePublishedLaterComeToo() {
    start();
    List<Message> all = new ArrayList<>(publish(messages(20, 3)));
    awaitHandled(all);
    all.addAll(publish(messages(20, 3)));
    awaitHandled(all);
    assertHandledOnceInOrder(all);
  }

  @Test
  final void messageThatComesTwiceIsHandledOnce() {
    Message twice = message("a", "1");
    Message last = message("a", "2");
    publish(twice);
    publish(twice);
    publish(last);
    start();
    awaitHandled(List.of(twice, last));
    assertHandledOnceInOrder(List.of(twice, last));
  }

  @Test
  final void payloadArrivesByteForByte() {
    byte[] all = new byte[512];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    byte[] large = new byte[100_000];
    Arrays.fill(large, (byte) 0xfe);
    Message every = message("a", all);
    Message empty = message("a", new byte[0]);
    Message big = message("a", large);
    publish(every, empty, big);
    start();
    awaitHandled(List.of(every, empty, big));
    assertThat(arrived(every).payload()).isEqualTo(all);
    assertThat(arrived(empty).payload()).isEmpty();
    assertThat(arrived(big).payload()).isEqualTo(large);
  }

  @Test
  final void headersTimeTypeAndVersionAreCarried() {
    Instant time = Instant.parse("2024-02-29T23:59:59.123456Z");
    Message message =
        Message.to(fixture().topic(), "order.placed")
            .key("Kunde ü/1")
            .version(7)
            .time(time)
            .header("content-type", "application/json")
            .header("note", "größer als 1 €, 😀")
            .header("empty", "")
            .payload("{}".getBytes(UTF_8))
            .build();
    publish(message);
    start();
    awaitHandled(List.of(message));
    Received arrived = arrived(message);
    assertThat(arrived.key()).isEqualTo("Kunde ü/1");
    assertThat(arrived.type()).isEqualTo("order.placed");
    assertThat(arrived.version()).isEqualTo(7);
    assertThat(arrived.time()).isEqualTo(time);
    assertThat(arrived.headers())
        .containsAllEntriesOf(
            Map.of("content-type", "application/json", "note", "größer als 1 €, 😀", "empty", ""));
    assertThat(arrived.source()).isNotBlank();
  }

  @Test
  final void messageWithoutAKeyArrivesWithoutOne() {
    Message message = message(null, "1");
    publish(message);
    start();
    awaitHandled(List.of(message));
    assertThat(arrived(message).key()).isNull();
  }

  private Received arrived(Message message) {
    String id = message.id().toString();
    return store.handled().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  final void foreignDeliveryIsNotPassedOverUnlessSomebodyIsTold() {
    publish(message("a", "1"));
    fixture().sendForeign("stranger".getBytes(UTF_8));
    OpenReceiver strict = start();
    await("the message before it", () -> store.handled().size() == 1);
    List<Message> later = publish(message("a", "2"));
    letPass(Duration.ofMillis(300)); // it comes to the foreign one, which holds what is behind it
    assertThat(strict.isRunning()).isTrue();
    if (fixture().isOrdered()) {
      assertThat(store.handled()).hasSize(1);
    }
    strict.close();
    List<String> told = new CopyOnWriteArrayList<>();
    start(store.handler(), OPTIONS, told::add);
    awaitHandled(later);
    await("it is set aside", () -> !told.isEmpty());
    assertThat(told).hasSize(1).allMatch(reason -> reason.contains("CloudEvent"));
    assertThat(store.handled()).hasSize(2);
  }
}
