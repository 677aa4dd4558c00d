// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.UnreadablePayloadException;
import io.outledger.event.EventHandlers.Match;
import io.outledger.inbox.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class EventHandlersTest {

  record Placed(String orderId) {}

  record Cancelled(String orderId) {}

  record Unknown() {}

  private static final PayloadSerializer TEXT = new TextSerializer(event -> "", Placed::new);

  private static final Events EVENTS =
      Events.builder()
          .types(
              EventTypes.builder()
                  .register(Placed.class, t -> t.name("placed").topic("o").key(Placed::orderId))
                  .register(
                      Cancelled.class, t -> t.name("cancelled").topic("o").key(Cancelled::orderId))
                  .build())
          .serializer(TEXT)
          .build();

  private final List<String> handled = new ArrayList<>();

  private EventHandlers<String> placed() {
    return EventHandlers.of(
        EVENTS,
        h -> h.on(Placed.class, (placed, context) -> handled.add(context + placed.orderId())));
  }

  private static Message placed(String contentType) {
    return Message.to("orders", "placed")
        .header(Events.CONTENT_TYPE, contentType)
        .payload("o-1".getBytes(UTF_8))
        .build();
  }

  @Test
  void aPayloadOfAnotherMediaTypeIsRefusedWhereverItCameFrom() {
    Message message = placed("application/x-protobuf");
    Received received = Received.of("shop", message);
    List<ThrowingCallable> reads =
        List.of(
            () -> placed().read(message),
            () -> placed().read(received),
            () -> EVENTS.read(message),
            () -> EVENTS.read(received));
    assertThat(reads)
        .allSatisfy(
            read ->
                assertThatThrownBy(read)
                    .isInstanceOf(UnreadablePayloadException.class)
                    .hasMessageStartingWith("OUT-015")
                    .hasMessageContainingAll(
                        "placed v1 is application/x-protobuf", "reads text/plain"));
    assertThat(handled).isEmpty();
  }

  @Test
  void anEventIsHandedToTheHandlerOfItsClass() throws Exception {
    placed().read(placed("text/plain")).run("context ");
    assertThat(handled).containsExactly("context o-1");
  }

  @Test
  void aTypeIsHandledOrNotNamedOrNotRegistered() {
    EventHandlers<String> handlers = placed();
    assertThat(handlers.match("placed", 1)).isEqualTo(Match.HANDLED);
    assertThat(handlers.match("cancelled", 1)).isEqualTo(Match.NOT_NAMED);
    assertThat(handlers.match("shipped", 1)).isEqualTo(Match.UNREGISTERED);
  }

  @Test
  void aNewerVersionOfATypeThatIsNamedIsNotPassedOver() {
    EventHandlers<String> handlers = placed();
    assertThat(handlers.match("placed", 2)).isEqualTo(Match.HANDLED);
    assertThatThrownBy(() -> handlers.read(Message.to("orders", "placed").version(2).build()))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-011");
  }

  @Test
  void whatIsNotRegisteredFailsOnRequest() {
    EventHandlers<String> handlers =
        EventHandlers.of(EVENTS, h -> h.on(Placed.class, (p, c) -> {}).refuseUnregistered());
    assertThat(handlers.match("shipped", 1)).isEqualTo(Match.HANDLED);
    assertThat(handlers.match("cancelled", 1)).isEqualTo(Match.NOT_NAMED);
    assertThatThrownBy(() -> handlers.read(Message.to("orders", "shipped").build()))
        .hasMessageStartingWith("OUT-011");
  }

  @Test
  void aMistakeFailsWhereItIsMade() {
    refused("OUT-021", h -> {});
    refused("OUT-011", h -> h.on(Unknown.class, (unknown, context) -> {}));
    refused("OUT-021", h -> h.on(Placed.class, (p, c) -> {}).on(Placed.class, (p, c) -> {}));
  }

  private static void refused(String code, Consumer<EventHandlers.Builder<String>> choices) {
    assertThatThrownBy(() -> EventHandlers.of(EVENTS, choices))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(code);
  }

  @Test
  void whatIsPassedOverIsCountedForEachTypeUpToABound() {
    PassedOver passedOver = new PassedOver();
    for (int i = 0; i < PassedOver.TYPES_MAX + 10; i++) {
      passedOver.count("mail", "type" + i, 1);
    }
    passedOver.count("mail", "type0", 1);
    assertThat(passedOver.counts())
        .containsAllEntriesOf(Map.of("mail: type0 v1", 2L, "mail: type1 v1", 1L, "others", 10L))
        .hasSize(PassedOver.TYPES_MAX + 1);
  }
}
