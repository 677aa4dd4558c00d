// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.OutledgerException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an event passes while it is appended. */
final class EventTransformsTest {

  /** An event of the domain. */
  record Placed(String orderId, String customer, int cents) {}

  /** What is published of it. */
  record OrderPlaced(String orderId, String text) {}

  record MailWanted(String customer) {}

  private static final UUID ID = new UUID(0x7000L, 0x8000000000000000L);

  private static final PayloadSerializer TEXT =
      new TextSerializer(
          Object::toString,
          text -> {
            throw new IllegalStateException("nothing is read here");
          });

  private static Events events(Consumer<EventType.Builder<Placed>> placed) {
    return Events.builder()
        .serializer(TEXT)
        .types(
            EventTypes.builder()
                .register(Placed.class, placed)
                .register(
                    OrderPlaced.class,
                    t -> t.name("order.placed").topic("orders").key(OrderPlaced::orderId))
                .register(
                    MailWanted.class,
                    t -> t.name("mail.wanted").topic("mails").key(MailWanted::customer))
                .build())
        .build();
  }

  private static List<Message> appended(Consumer<EventType.Builder<Placed>> placed) {
    return events(placed).messages(List.of(new Placed("o-1", "c-1", 5)), type -> "tenant");
  }

  private static void refused(String text, Consumer<EventType.Builder<Placed>> placed) {
    assertThatThrownBy(() -> appended(placed))
        .isInstanceOf(OutledgerException.class)
        .hasMessageStartingWith(text);
  }

  private static void named(EventType.Builder<Placed> type) {
    type.name("placed").topic("orders").key(Placed::orderId);
  }

  @Test
  void anEventIsMappedToNoneOrSeveralOthers() {
    assertThat(appended(t -> t.map((placed, context) -> List.of()))).isEmpty();
    assertThat(
            appended(
                t ->
                    t.map(
                        (placed, context) ->
                            List.of(
                                new OrderPlaced(placed.orderId(), "text"),
                                new MailWanted(placed.customer()),
                                Message.to("raw", "raw").build()))))
        .extracting(message -> message.topic() + " " + message.type() + " " + message.key())
        .containsExactly("orders order.placed o-1", "mails mail.wanted c-1", "raw raw null");
  }

  @Test
  void anEventMayBeAmongWhatItIsMappedToAndIsNotMappedAgain() {
    assertThat(
            appended(
                t -> {
                  named(t);
                  t.map((placed, context) -> List.of(placed, new MailWanted("c-2")));
                }))
        .extracting(Message::type)
        .containsExactly("placed", "mail.wanted");
    refused(
        "OUT-011 the class io.outledger.event.EventTransformsTest$Placed is registered with map",
        t -> t.map((placed, context) -> List.of(placed)));
  }

  @Test
  void aMappingGivesAMessageAnotherIdAndKey() {
    Message message =
        appended(
                t ->
                    t.map(
                        (placed, context) ->
                            List.of(
                                context
                                    .message(new OrderPlaced(placed.orderId(), "text"))
                                    .copy()
                                    .id(ID)
                                    .key(placed.customer())
                                    .build())))
            .get(0);
    assertThat(message.id()).isEqualTo(ID);
    assertThat(message.key()).isEqualTo("c-1");
    assertThat(message.type()).isEqualTo("order.placed");
  }

  @Test
  void anEventIsGuardedThenEnrichedThenMapped() {
    List<String> order = new java.util.ArrayList<>();
    Message message =
        appended(
                t ->
                    t.guard(
                            (placed, context) -> {
                              order.add("guard " + placed.customer());
                              return Optional.empty();
                            })
                        .enrich(
                            (placed, context) -> {
                              order.add("enrich");
                              return new Placed(
                                  placed.orderId(), context.resource(String.class), 7);
                            })
                        .map(
                            (placed, context) -> {
                              order.add("map " + placed.customer());
                              return List.of(new MailWanted(placed.customer()));
                            }))
            .get(0);
    assertThat(order).containsExactly("guard c-1", "enrich", "map tenant");
    assertThat(message.key()).isEqualTo("tenant");
  }

  @Test
  void aGuardRefusesWithItsReason() {
    refused(
        "OUT-024 the guard of io.outledger.event.EventTransformsTest$Placed refused the event: 5 is"
            + " odd",
        t -> {
          named(t);
          t.guard((placed, context) -> Optional.of(placed.cents() + " is odd"));
        });
  }

  @Test
  @SuppressWarnings("NullAway") // what is not annotated is not to be trusted
  void aStepThatFailsOrReturnsNothingSaysWhich() {
    refused(
        "OUT-027 the enrichment of",
        t -> {
          named(t);
          t.enrich(
              (placed, context) -> {
                throw new IOException("gone");
              });
        });
    refused("OUT-014 the mapping of", t -> t.map((placed, context) -> null));
    assertThatThrownBy(
            () ->
                appended(
                    t ->
                        t.map(
                            (placed, context) -> {
                              throw new IllegalStateException("a bug");
                            })))
        .hasMessage("a bug");
  }

  @Test
  void aResourceThatTheOutboxDoesNotHaveIsNamed() {
    Events events =
        events(t -> t.map((placed, context) -> List.of(context.resource(Integer.class))));
    assertThatThrownBy(() -> events.messages(List.of(new Placed("o-1", "c-1", 5))))
        .hasMessageStartingWith("OUT-021 this outbox has no java.lang.Integer");
  }

  @Test
  void whatHoldsEventsIsNoEvent() {
    Events events = events(EventTransformsTest::named);
    for (Object holder :
        List.of(Stream.of(1), Optional.of(1), List.of(1), (Object) new Object[] {1})) {
      assertThatThrownBy(() -> events.messages(List.of(holder)))
          .hasMessageStartingWith("OUT-011")
          .hasMessageContaining("one by one");
    }
  }
}
