// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import static io.outledger.servers.ScriptedRegistry.says;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.schemaregistry.SchemaNotFetchedException;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.WireFormatPublisher;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.testing.RecordingPublisher;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Payloads leave with the id of their schema, and are read once their id is known. */
final class JsonWireFormatTest {

  static final String SCHEMA =
      "{\"title\":\"OrderPlaced\",\"type\":\"object\",\"required\":[\"id\"],"
          + "\"properties\":{\"id\":{\"type\":\"string\"},\"cents\":{\"type\":\"integer\"}}}";

  private static final String BEFORE =
      "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"},"
          + "\"amount\":{\"type\":\"string\"}}}";

  record Placed(String id, int cents) {}

  static final Placed PLACED = new Placed("o-1", 1990);

  static final EventTypes TYPES =
      EventTypes.builder()
          .register(
              Placed.class,
              type ->
                  type.name("order.placed")
                      .version(2)
                      .topic("orders")
                      .key(Placed::id)
                      .upcast(1, 2, ObjectNode.class, JsonWireFormatTest::inCents))
          .build();

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final SchemaRegistry registry = SchemaRegistry.at(peer.uri());
  private final JsonSchemaSerializer serializer = with().build();
  private final Events events = events(serializer);
  private final RecordingPublisher broker = new RecordingPublisher();
  private final List<Outcome> outcomes = new ArrayList<>();

  @AfterEach
  void close() {
    peer.close();
  }

  static JsonSchemaSerializer.Builder with() {
    return JsonSchemaSerializer.around(JacksonSerializer.create()).schema(Placed.class, SCHEMA);
  }

  static Events events(JsonSchemaSerializer serializer) {
    return Events.builder().serializer(serializer).types(TYPES).build();
  }

  private static ObjectNode inCents(ObjectNode order) {
    return order.put("cents", Integer.parseInt(order.remove("amount").asText()) * 100);
  }

  private List<byte[]> published(JsonSchemaSerializer by, Message... messages) {
    WireFormatPublisher publisher = WireFormatPublisher.around(broker, registry, by.schemas(TYPES));
    do { // the registry may not be that fast
      broker.clear();
      outcomes.clear();
      publish(publisher, messages);
    } while (outcomes.stream().anyMatch(Outcome.Unavailable.class::isInstance));
    return broker.messages().stream().map(Message::payload).toList();
  }

  private void publish(WireFormatPublisher publisher, Message... messages) {
    try (PublisherClient client =
        publisher.open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome))) {
      for (Message message : messages) {
        client.publish(1, 1, message);
      }
    } catch (DestinationUnavailableException e) {
      outcomes.add(Outcome.unavailable(e.getMessage()));
    }
  }

  private static byte[] framed(byte[] json) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {0, 0, 0, 0, 7});
    bytes.writeBytes(json);
    return bytes.toByteArray();
  }

  private static byte[] framed(String json) {
    return framed(json.getBytes(UTF_8));
  }

  @Test
  void aPayloadLeavesWithTheIdOfItsSchema() {
    peer.answer(says(200, "{\"id\":7}"));
    Message note = Message.to("orders", "note").payload("{}".getBytes(UTF_8)).build();
    Message gone = Message.to("orders", "order.placed").version(2).key("o").tombstone().build();
    Message own = note.copy().payload(framed("{}")).build();
    assertThat(published(serializer, events.message(PLACED), note, gone, own))
        .containsExactly(
            framed(serializer.write(PLACED)), note.payload(), gone.payload(), own.payload());
    assertThat(peer.requests())
        .singleElement()
        .asString()
        .startsWith("POST /subjects/orders-value/versions {\"schema\":\"{\\\"title\\\"")
        .endsWith(",\"schemaType\":\"JSON\"}");
  }

  @Test
  void aSchemaIsNamedByItsTitle() {
    assertThat(serializer.registrySchema(Placed.class).name()).isEqualTo("OrderPlaced");
    JsonSchemaSerializer untitled =
        JsonSchemaSerializer.around(JacksonSerializer.create())
            .schema(Placed.class, BEFORE)
            .build();
    assertThat(untitled.registrySchema(Placed.class).name()).isEqualTo(Placed.class.getName());
  }

  @Test
  void anOlderVersionLeavesWithTheIdOfItsOwnSchema() {
    peer.answer(exchange -> says(200, "{\"id\":7}").to(exchange));
    Message before =
        events
            .message(PLACED)
            .copy()
            .version(1)
            .payload("{\"id\":\"o-1\"}".getBytes(UTF_8))
            .build();
    assertThat(published(serializer, before)).isEmpty();
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> assertThat(it.reason()).contains("knows no schema of version 1"));

    JsonSchemaSerializer both = with().olderVersion("order.placed", 1, BEFORE).build();
    assertThat(published(both, before)).containsExactly(framed(before.payload()));
    assertThat(peer.requests()).singleElement().asString().contains("amount");
  }

  @Test
  void whatIsWrongWithAnOlderVersionIsToldAtTheStart() {
    assertThatThrownBy(
            () ->
                with()
                    .olderVersion("order.placed", 1, "{\"type\":\"CANARY\"}")
                    .olderVersion("order.moved", 1, BEFORE)
                    .olderVersion("order.moved", 1, BEFORE)
                    .build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "the schema of order.placed v1: it is no schema",
            "two schemas are given for order.moved v1; give one");
  }

  @Test
  void aClassWithoutASchemaIsRefusedAtTheStart() {
    EventTypes texts =
        EventTypes.builder()
            .register(String.class, type -> type.name("text").topic("texts").keyless())
            .build();
    assertThatThrownBy(() -> serializer.schemas(texts))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("there is no JSON Schema for events of java.lang.String");
  }

  private static <T> T eventually(Supplier<T> reading) {
    while (true) {
      try {
        return reading.get();
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      }
    }
  }

  private Placed read(byte[] payload) {
    JsonSchemaSerializer reader = with().readFrom(registry).build();
    return eventually(() -> reader.read(payload, Placed.class));
  }

  @Test
  void anEventIsReadOnceItsIdIsKnown() {
    peer.answer(says(200, "{\"schema\":\"{}\",\"schemaType\":\"JSON\"}"));
    JsonSchemaSerializer reader = with().readFrom(registry).build();
    byte[] payload = framed(serializer.write(PLACED));
    assertThatThrownBy(() -> reader.read(payload, Placed.class))
        .isInstanceOf(SchemaNotFetchedException.class)
        .hasMessageStartingWith("OUT-038");
    assertThat(eventually(() -> reader.read(payload, Placed.class))).isEqualTo(PLACED);
    assertThat(reader.readExactly(payload, Placed.class)).isEqualTo(PLACED);
    assertThat(peer.requests()).containsExactly("GET /schemas/ids/7 ");
    assertThat(events(reader).read("order.placed", 1, framed("{\"id\":\"o-1\",\"amount\":\"19\"}")))
        .isEqualTo(new Placed("o-1", 1900));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | {'error_code':40403,'message':'Schema not found'} | Schema not found",
        "200 | {'schema':'{}'} | of the type AVRO, and not of JSON Schema"
      },
      quoteCharacter = '"')
  void anIdWithoutASchemaIsAFailureOfTheMessage(int status, String body, String why) {
    peer.answer(says(status, body.replace('\'', '"')));
    assertThatThrownBy(() -> read(framed("{}")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageContainingAll("the id 7", why);
  }

  @Test
  void aRegistryThatIsAwayIsAnOutage() {
    peer.answer(says(401, "{}"));
    assertThatThrownBy(() -> read(framed("{}")))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContaining("status 401");
  }

  @Test
  void whatIsNoJsonBehindTheIdIsAFailureOfTheMessage() {
    peer.answer(says(200, "{\"schema\":\"{}\",\"schemaType\":\"JSON\"}"));
    for (byte[] payload : List.of(framed(""), framed("CANARY"), framed(framed("{}")))) {
      assertThatThrownBy(() -> read(payload))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageStartingWith("OUT-015")
          .hasMessageNotContaining("CANARY");
    }
  }

  @Test
  void withoutARegistryTheWireFormatIsAFailureOfTheMessage() {
    List<Supplier<?>> readings =
        List.of(
            () -> serializer.read(framed("{}"), Placed.class),
            () -> serializer.readExactly(framed("{}"), Placed.class),
            () -> serializer.rewrite(framed("{}"), ObjectNode.class, tree -> tree));
    assertThat(readings)
        .allSatisfy(
            reading ->
                assertThatThrownBy(reading::get)
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("readFrom(…)"));
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    List<ThrowingCallable> calls =
        List.of(
            () -> serializer.schemas(null),
            () -> serializer.schemas(TYPES).of(null),
            () -> serializer.registrySchema(null),
            () -> with().olderVersion(null, 1, BEFORE),
            () -> with().olderVersion("order.placed", 1, null),
            () -> with().readFrom(null),
            () -> with().readFrom(registry, (String[]) null),
            () -> with().readFrom(registry, (String) null));
    assertThat(calls)
        .allSatisfy(
            call ->
                assertThatThrownBy(call)
                    .isInstanceOf(OutledgerException.class)
                    .hasMessageStartingWith("OUT-021"));
  }
}
