// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.MessageIds;
import io.outledger.MessageLimits;
import io.outledger.OutledgerException;
import io.outledger.UnreadablePayloadException;
import io.outledger.time.TimeSource;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EventsTest {

  record Placed(String orderId) {}

  record Cancelled(String orderId) {}

  record Ping() {}

  record Renamed(@Nullable String userId) {}

  private static final PayloadSerializer TEXT =
      new TextSerializer(
          event -> event instanceof Placed placed ? placed.orderId() : "", Placed::new);

  private static final EventTypes TYPES =
      EventTypes.builder()
          .register(
              Placed.class,
              type ->
                  type.name("order.placed")
                      .version(2)
                      .topic("orders")
                      .key(Placed::orderId)
                      .headers(event -> Map.of("tenant", "t1")))
          .register(Ping.class, type -> type.name("ping").topic("pings").keyless())
          .register(Renamed.class, type -> type.name("renamed").topic("users").key(Renamed::userId))
          .keyedTopic("audit")
          .build();

  private final Events events =
      Events.builder().types(TYPES).serializer(TEXT).payloadBytesMax(10).build();

  @Test
  void anEventBecomesAMessageAsItsTypeSays() {
    Message message = events.message(new Placed("o-1"));
    assertThat(message.topic()).isEqualTo("orders");
    assertThat(message.type()).isEqualTo("order.placed");
    assertThat(message.version()).isEqualTo(2);
    assertThat(message.key()).isEqualTo("o-1");
    assertThat(message.payload()).isEqualTo("o-1".getBytes(UTF_8));
    assertThat(message.headers())
        .isEqualTo(Map.of("tenant", "t1", Events.CONTENT_TYPE, "text/plain"));
  }

  @Test
  void anEventIsReadByNameAndVersionAlone() {
    assertThat(events.read(events.message(new Placed("o-1")))).isEqualTo(new Placed("o-1"));
    assertCode(() -> events.read("order.placed", 1, new byte[0]), ErrorCode.UNREGISTERED_TYPE);
    assertCode(() -> events.read("java.io.File", 1, new byte[0]), ErrorCode.UNREGISTERED_TYPE);
  }

  /** So that a handler's own invalid events, whatever their code, are told from what it reads. */
  @Test
  void whatReadingMeetsIsKnownByItsTypeAndWhatWritingMeetsIsNot() {
    Events broken =
        Events.builder()
            .types(TYPES)
            .serializer(
                new TextSerializer(
                    event -> {
                      throw new InvalidMessageException(ErrorCode.UNREADABLE_PAYLOAD, "written");
                    },
                    payload -> {
                      throw new InvalidMessageException(ErrorCode.UNREADABLE_PAYLOAD, "read");
                    }))
            .build();
    assertThatThrownBy(() -> broken.read("order.placed", 2, new byte[0]))
        .isExactlyInstanceOf(UnreadablePayloadException.class)
        .hasMessage("OUT-015 read");
    assertThatThrownBy(() -> broken.read("order.placed", 1, new byte[0]))
        .isExactlyInstanceOf(UnreadablePayloadException.class)
        .hasMessageStartingWith("OUT-011 ");
    assertThatThrownBy(() -> broken.message(new Placed("o-1")))
        .isExactlyInstanceOf(InvalidMessageException.class)
        .hasMessage("OUT-015 written");
  }

  @Test
  void whatIsNotRegisteredIsRefused() {
    assertCode(() -> events.message(new Cancelled("o-1")), ErrorCode.UNREGISTERED_TYPE);
  }

  @Test
  void aMissingKeyIsRefusedForEventsAndForMessagesOfTheirTopic() {
    assertCode(() -> events.message(new Renamed(null)), ErrorCode.MISSING_KEY);
    assertCode(() -> events.check(Message.to("orders", "x").build()), ErrorCode.MISSING_KEY);
    assertCode(() -> events.check(Message.to("audit", "x").build()), ErrorCode.MISSING_KEY);
    events.check(Message.to("orders", "x").key("k").build());
    events.check(Message.to("pings", "x").build());
    assertThat(events.message(new Ping()).key()).isNull();
  }

  @Test
  void aPayloadAtTheLimitPassesAndOneOverItDoesNot() {
    assertThat(events.message(new Placed("0123456789")).payload()).hasSize(10);
    assertCode(() -> events.message(new Placed("0123456789x")), ErrorCode.PAYLOAD_TOO_LARGE);
    Message large = Message.to("pings", "x").payload(new byte[11]).build();
    assertCode(() -> events.check(large), ErrorCode.PAYLOAD_TOO_LARGE);
  }

  @Test
  void eventsAndMessagesKeepTheirOrderAndOneBadRefusesAll() {
    Message message = Message.to("pings", "x").build();
    List<Message> made = events.messages(List.of(new Ping(), message, new Placed("o-1")));
    assertThat(made).extracting(Message::type).containsExactly("ping", "x", "order.placed");
    assertThat(made.get(1)).isSameAs(message);
    assertCode(() -> events.messages(List.of(message, "text")), ErrorCode.UNREGISTERED_TYPE);
    assertThatThrownBy(() -> events.messages(Arrays.asList(message, null)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-014")
        .hasMessageContaining("element 1");
  }

  @Test
  void everyProblemOfARegistryIsListedAtOnce() {
    EventTypes.Builder builder =
        EventTypes.builder()
            .register(Placed.class, type -> type.name("a").topic("t").key(Placed::orderId))
            .register(Placed.class, type -> type.name("b").topic("t").key(Placed::orderId))
            .register(Cancelled.class, type -> type.name("a").topic("t").keyless())
            .register(Ping.class, type -> type.version(0));
    assertThatThrownBy(builder::build)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021")
        .hasMessageContaining("registered twice")
        .hasMessageContaining("a v1 is already registered for")
        .hasMessageContaining("use another topic")
        .hasMessageContaining("name is missing")
        .hasMessageContaining("topic is missing")
        .hasMessageContaining("version is 0")
        .hasMessageContaining("keyless()");
  }

  @Test
  void nameAndTopicHaveALimitAndAtItTheyPass() {
    String name = "n".repeat(MessageLimits.TYPE_CHARS_MAX);
    String topic = "t".repeat(MessageLimits.TOPIC_CHARS_MAX);
    EventTypes types =
        EventTypes.builder()
            .register(Ping.class, type -> type.name(name).topic(topic).keyless())
            .build();
    assertThat(types.isEmpty()).isFalse();
    assertThat(types.of(name, 1)).map(EventType::topic).contains(topic);
    EventTypes.Builder longer =
        EventTypes.builder()
            .register(Ping.class, type -> type.name(name + "n").topic(topic + "t").keyless());
    assertThatThrownBy(longer::build)
        .hasMessageContaining("name has more than " + MessageLimits.TYPE_CHARS_MAX)
        .hasMessageContaining("topic has more than " + MessageLimits.TOPIC_CHARS_MAX);
  }

  @Test
  void keyedTopicThatIsMissingOrTooLongIsSaid() {
    EventTypes.Builder builder =
        EventTypes.builder()
            .keyedTopic(" ")
            .keyedTopic("t".repeat(MessageLimits.TOPIC_CHARS_MAX + 1));
    assertThatThrownBy(builder::build)
        .hasMessageContaining("topic is missing")
        .hasMessageContaining("topic has more than");
  }

  @Test
  void typesOfOneTopicMayAllBeKeyedOrAllBeKeyless() {
    EventTypes types =
        EventTypes.builder()
            .keyedTopic("orders")
            .register(Placed.class, t -> t.name("a").topic("orders").key(Placed::orderId))
            .register(Cancelled.class, t -> t.name("b").topic("orders").key(Cancelled::orderId))
            .build();
    assertThat(types.requiresKey("orders")).isTrue();
    EventTypes.Builder mixed =
        EventTypes.builder()
            .keyedTopic("pings")
            .register(Ping.class, type -> type.name("ping").topic("pings").keyless());
    assertThatThrownBy(mixed::build)
        .hasMessageContaining("has no key, but the messages of topic pings have one");
  }

  @Test
  void everyBuilderGoesOnAsItself() {
    EventTypes.Builder types = EventTypes.builder();
    assertThat(types.keyedTopic("t")).isSameAs(types);
    EventType.Builder<Placed> type = new EventType.Builder<>(Placed.class);
    assertThat(type.key(Placed::orderId).headers(event -> Map.of()).keyless()).isSameAs(type);
  }

  private record Stopped(Instant now) implements TimeSource {

    @Override
    public long nanoTime() {
      return 0;
    }
  }

  @Test
  void idAndTimeComeFromWhereTheBuilderSays() {
    Instant then = Instant.parse("2026-11-21T01:02:03Z");
    TimeSource time = new Stopped(then);
    MessageIds ids = new MessageIds(time, new SplittableRandom(7));
    UUID expected = new MessageIds(time, new SplittableRandom(7)).next();
    Events made = Events.builder().types(TYPES).serializer(TEXT).ids(ids).time(time).build();
    assertThat(made.types()).isSameAs(TYPES);
    Message message = made.message(new Ping());
    assertThat(message.id()).isEqualTo(expected);
    assertThat(message.time()).isEqualTo(then);
  }

  @Test
  void aBuilderIsCompletedWithTheIdsAndTheTimeOfItsOutbox() {
    Instant then = Instant.parse("2026-11-21T01:02:03Z");
    TimeSource time = new Stopped(then);
    MessageIds ids = new MessageIds(time, new SplittableRandom(7));
    MessageIds expected = new MessageIds(time, new SplittableRandom(7));
    Events made = Events.builder().types(TYPES).serializer(TEXT).ids(ids).time(time).build();
    UUID own = UUID.fromString("0190d0a0-0000-7000-8000-000000000001");

    List<Message> messages =
        made.messages(
            List.of(
                Message.to("audit", "seen").key("k"),
                Message.to("audit", "seen").key("k").id(own).time(Instant.EPOCH)));

    assertThat(messages).extracting(Message::id).containsExactly(expected.next(), own);
    assertThat(messages).extracting(Message::time).containsExactly(then, Instant.EPOCH);
    assertCode(() -> made.messages(List.of(Message.to("audit", "seen"))), ErrorCode.MISSING_KEY);
  }

  @Test
  void aMappingMayReturnABuilder() {
    TimeSource time = new Stopped(Instant.EPOCH);
    EventTypes mapped =
        EventTypes.builder()
            .register(
                Ping.class,
                type -> type.map((ping, context) -> List.of(Message.to("pings", "pinged"))))
            .build();
    Events made = Events.builder().types(mapped).serializer(TEXT).time(time).build();
    assertThat(made.messages(List.of(new Ping())))
        .singleElement()
        .satisfies(message -> assertThat(message.time()).isEqualTo(Instant.EPOCH));
  }

  @Test
  void messageBeyondTheLimitsIsRefused() {
    Message good = Message.to("pings", "x").build();
    String topic = "t".repeat(MessageLimits.TOPIC_CHARS_MAX + 1);
    Message message =
        new Message(good.id(), topic, null, "x", 1, new byte[0], Map.of(), good.time());
    assertCode(() -> events.check(message), ErrorCode.INVALID_MESSAGE);
  }

  @Test
  void limitOfNoBytesIsOne() {
    Events empty = Events.builder().payloadBytesMax(0).build();
    empty.check(Message.to("a", "b").build());
    Message one = Message.to("a", "b").payload(new byte[1]).build();
    assertCode(() -> empty.check(one), ErrorCode.PAYLOAD_TOO_LARGE);
  }

  @Test
  void typesWithoutASerializerAreRefusedAtTheStart() {
    assertCode(() -> Events.builder().types(TYPES).build(), ErrorCode.INVALID_CONFIGURATION);
    assertCode(
        () -> Events.builder().types(TYPES).payloadBytesMax(-1).build(),
        ErrorCode.INVALID_CONFIGURATION);
    Events.builder().build().check(Message.to("a", "b").build());
  }

  private static void assertCode(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            OutledgerException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
