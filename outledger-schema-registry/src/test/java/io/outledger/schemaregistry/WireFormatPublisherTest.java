// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import static io.outledger.servers.ScriptedRegistry.says;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.ParkedRow;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real relay publishes in the wire format, whatever the registry does. */
final class WireFormatPublisherTest {

  private static final RegistrySchema ORDER =
      RegistrySchema.of(RegistrySchema.Type.JSON, "shop.OrderPlaced", "{}");

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final SchemaRegistry registry =
      SchemaRegistry.at(peer.uri()).answerMax(Duration.ofMinutes(1));
  private final SettableClock clock = new SettableClock();
  private final InMemoryLedger ledger = new InMemoryLedger(clock);
  private final RecordingPublisher broker = new RecordingPublisher();
  private final List<Relay> relays = new ArrayList<>();

  @AfterEach
  void close() {
    relays.forEach(Relay::close);
    peer.close();
  }

  private Relay relay(WireFormatPublisher publisher) {
    return relay(List.of(Route.only(publisher)));
  }

  private Relay relay(List<Route> routes) {
    Relay relay =
        new Relay(
            ledger.relayStore("orders", Start.EARLIEST),
            routes,
            RelayOptions.defaults(),
            event -> {},
            new Relay.Surroundings(clock, new SplittableRandom(1)));
    relays.add(relay);
    return relay;
  }

  private Relay relay() {
    return relay(WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas));
  }

  private void settle(Relay relay) {
    StepReport report = relay.step();
    for (int i = 0; i < 100 && report.nextIn().isZero(); i++) {
      report = relay.step();
    }
  }

  private void letTimePass(Relay relay) {
    for (int i = 0; i < 120; i++) {
      clock.advance(Duration.ofSeconds(1));
      settle(relay);
    }
  }

  /** The registry is asked beside, so its answer comes at a moment of its own. */
  private void letTimePassUntil(BooleanSupplier isSo, Relay relay) {
    while (!isSo.getAsBoolean()) {
      clock.advance(Duration.ofMillis(100));
      settle(relay);
    }
  }

  private BooleanSupplier arrived(int messages) {
    return () -> broker.messages().size() >= messages;
  }

  /** A format of two bytes, an order's mark and another one, before the data. */
  static WirePayload schemas(Message message) {
    byte[] payload = message.payload();
    if (payload.length < 2 || payload[0] != 'o') {
      return WirePayload.AS_IT_IS;
    }
    return payload[1] == '1'
        ? new WirePayload.Written(ORDER, new byte[] {42}, 2)
        : new WirePayload.Unknown("no schema is known of it");
  }

  static Message order(String key) {
    return Message.to("orders", "order.placed")
        .key(key)
        .header("content-type", "text/order")
        .payload("o1tea".getBytes(UTF_8))
        .build();
  }

  private static byte[] wire(int id) {
    return ByteBuffer.allocate(9)
        .put((byte) 0)
        .putInt(id)
        .put((byte) 42)
        .put("tea".getBytes(UTF_8))
        .array();
  }

  @Test
  void payloadsLeaveWithTheIdOfTheirSchemaWhichIsAskedForOnce() {
    peer.answer(says(200, "{\"id\":70000}"));
    Message json = Message.to("orders", "note").key("n").payload("{}".getBytes(UTF_8)).build();
    Message gone = Message.to("orders", "order.placed").key("n").tombstone().build();
    ledger.inNewTransaction(order("a"), order("b"), json, gone);
    letTimePassUntil(arrived(4), relay());

    assertThat(broker.messages())
        .extracting(Message::payload)
        .containsExactly(wire(70_000), wire(70_000), "{}".getBytes(UTF_8), gone.payload());
    assertThat(broker.messages().get(0).headers()).isEqualTo(order("a").headers());
    assertThat(peer.requests())
        .singleElement()
        .asString()
        .startsWith("POST /subjects/orders-value/versions ");
  }

  @Test
  void whileTheRegistryIsAwayNothingIsLostParkedOrOutOfOrder() {
    peer.answer(says(503, "{}"));
    Message json = Message.to("orders", "note").key("a").payload("{}".getBytes(UTF_8)).build();
    ledger.inNewTransaction(order("a"), json, order("a"));
    Relay relay = relay();
    settle(relay);
    letTimePass(relay);
    assertThat(broker.messages()).isEmpty();
    assertThat(ledger.subscription("orders").parked()).isEmpty();

    ledger.inNewTransaction(order("b")); // appending asks nobody
    peer.answer(says(200, "{\"id\":7}"));
    letTimePassUntil(arrived(4), relay);
    List<UUID> ids = ledger.messages().stream().map(row -> row.message().id()).toList();
    assertThat(broker.messages()).extracting(Message::id).hasSameElementsAs(ids).hasSize(4);
    assertThat(broker.messages("a"))
        .extracting(Message::id)
        .containsExactlyElementsOf(ids.subList(0, 3));
  }

  @Test
  void onceTheIdIsKnownTheRegistryMayBeAway() {
    peer.answer(says(200, "{\"id\":7}"));
    ledger.inNewTransaction(order("a"));
    Relay relay = relay();
    letTimePassUntil(arrived(1), relay);
    peer.close();
    ledger.inNewTransaction(order("b"));
    letTimePass(relay);
    assertThat(broker.messages()).hasSize(2);
  }

  @Test
  void aSilentRegistryIsAnOutageToo() {
    peer.answer(exchange -> {});
    ledger.inNewTransaction(order("a"), order("b"));
    SchemaRegistry impatient = registry.answerMax(Duration.ofMillis(500));
    Relay relay =
        relay(WireFormatPublisher.around(broker, impatient, WireFormatPublisherTest::schemas));
    settle(relay);
    assertThat(broker.messages()).isEmpty();
    assertThat(peer.requests()).hasSizeLessThan(2); // not again for each message
    peer.answer(says(200, "{\"id\":7}"));
    letTimePassUntil(arrived(2), relay);
    assertThat(broker.messages()).hasSize(2);
    assertThat(ledger.subscription("orders").parked()).isEmpty();
  }

  /** The registry has a minute, in which each attempt would have the relay's one thread wait. */
  @Test
  void aSilentRegistryHoldsUpNoOtherRoute() {
    CountDownLatch silence = new CountDownLatch(1);
    peer.answer(
        exchange -> {
          awaited(silence);
          says(200, "{\"id\":7}").to(exchange);
        });
    RecordingPublisher healthy = new RecordingPublisher();
    Route asking =
        new Route(
            "asking",
            WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas),
            Accepts.everything());
    Relay relay = relay(List.of(asking, new Route("plain", healthy, Accepts.everything())));
    assertTimeoutPreemptively(
        Duration.ofSeconds(45),
        () -> {
          for (int i = 1; i <= 20; i++) {
            ledger.inNewTransaction(order("k" + i));
            clock.advance(Duration.ofSeconds(1));
            settle(relay);
            assertThat(healthy.messages()).hasSize(i);
          }
        });
    assertThat(broker.messages()).isEmpty();
    assertThat(peer.requests()).hasSize(1);

    silence.countDown();
    letTimePassUntil(arrived(20), relay);
    assertThat(peer.requests()).hasSize(1);
    assertThat(ledger.subscription("orders").parked()).isEmpty();
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 409, 422, 500})
  void aSchemaThatIsRefusedKeepsItsTopicBackAndNoOther(int status) {
    peer.answer(
        exchange ->
            (exchange.getRequestURI().getPath().startsWith("/subjects/orders-")
                    ? says(status, "{\"error_code\":" + status + ",\"message\":\"no\"}")
                    : says(200, "{\"id\":7}"))
                .to(exchange));
    Message other = toTopic("others", order("a"));
    ledger.inNewTransaction(order("a"), order("a"), other);
    Relay relay = relay();
    letTimePassUntil(arrived(1), relay);
    letTimePass(relay);
    assertThat(broker.messages()).extracting(Message::topic).containsExactly("others");
    assertThat(ledger.subscription("orders").parked())
        .allSatisfy(row -> assertThat(row.message().state()).isNotEqualTo(ParkedState.DEAD));

    peer.answer(says(200, "{\"id\":8}"));
    letTimePassUntil(arrived(3), relay);
    assertThat(broker.messages())
        .extracting(Message::topic)
        .containsExactly("others", "orders", "orders");
  }

  private static Message toTopic(String topic, Message message) {
    Message.Builder builder = Message.to(topic, message.type()).key("c").payload(message.payload());
    message.headers().forEach(builder::header);
    return builder.build();
  }

  @Test
  void onlyWhatIsRegisteredIsTakenWhereThatIsWanted() {
    peer.answer(says(200, "{\"id\":7,\"version\":1}"));
    ledger.inNewTransaction(order("a"));
    letTimePassUntil(
        arrived(1),
        relay(
            WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas)
                .subjects((message, schema) -> schema.name())
                .registeredOnly()));
    assertThat(broker.messages()).hasSize(1);
    assertThat(peer.requests().get(0)).startsWith("POST /subjects/shop.OrderPlaced {");
  }

  @Test
  void aSchemaThatIsNotKnownHereRejectsItsMessageAlone() {
    peer.answer(says(200, "{\"id\":7}"));
    byte[] unknown = "o2tea".getBytes(UTF_8);
    ledger.inNewTransaction(order("a").copy().payload(unknown).build(), order("b"));
    letTimePassUntil(arrived(1), relay());
    assertThat(broker.messages()).hasSize(1);
    assertThat(ledger.subscription("orders").parked())
        .singleElement()
        .satisfies(row -> assertThat(row.message().state()).isEqualTo(ParkedState.RETRYING))
        .extracting(ParkedRow::error)
        .asString()
        .contains("no schema is known of it");
  }

  @Test
  void aSubjectThatCannotBeNamedRejectsItsMessage() {
    ledger.inNewTransaction(order("a"));
    settle(
        relay(
            WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas)
                .subjects(
                    (message, schema) -> {
                      throw new IllegalStateException("CANARY");
                    })));
    assertThat(ledger.subscription("orders").parked())
        .singleElement()
        .extracting(ParkedRow::error)
        .asString()
        .contains("naming the subject of its schema threw")
        .doesNotContain("CANARY");
  }

  @Test
  void itKeepsTheOrderAsThePublisherWithinDoes() {
    assertThat(
            WireFormatPublisher.around(
                    new RecordingPublisher(KeyOrder.ONE_AT_A_TIME, Runnable::run),
                    registry,
                    WireFormatPublisherTest::schemas)
                .keyOrder())
        .isEqualTo(KeyOrder.ONE_AT_A_TIME);
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    List<ThrowingCallable> calls =
        List.of(
            () -> WireFormatPublisher.around(null, registry, WireFormatPublisherTest::schemas),
            () -> WireFormatPublisher.around(broker, null, WireFormatPublisherTest::schemas),
            () -> WireFormatPublisher.around(broker, registry, null),
            () ->
                WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas)
                    .subjects(null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
