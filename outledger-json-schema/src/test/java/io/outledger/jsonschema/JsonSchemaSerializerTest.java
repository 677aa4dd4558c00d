// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jackson3.Jackson3Serializer;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonSchemaSerializerTest {

  private static final String SCHEMA =
      """
      {"type": "object",
       "properties": {
         "orderId": {"type": "string", "minLength": 1},
         "lines": {"type": "array", "maxItems": 3, "items": {"$ref": "#/$defs/line"}}},
       "required": ["orderId", "lines"],
       "additionalProperties": false,
       "$defs": {
         "line": {"type": "object",
                  "properties": {
                    "sku": {"type": "string"},
                    "count": {"type": "integer", "minimum": 1}},
                  "required": ["sku", "count"]}}}
      """;

  record Line(@Nullable String sku, int count) {}

  record Placed(String orderId, List<Line> lines) {}

  record Other(String orderId) {}

  private static JsonSchemaSerializer with(PayloadSerializer json) {
    return JsonSchemaSerializer.around(json).schema(Placed.class, SCHEMA).build();
  }

  private final JsonSchemaSerializer serializer = with(JacksonSerializer.create());

  private static final Placed FITS = new Placed("o-1", List.of(new Line("a", 1)));

  @Test
  void whatFitsIsWrittenAsBeforeAndRead() {
    for (PayloadSerializer json :
        List.of(JacksonSerializer.create(), Jackson3Serializer.create())) {
      JsonSchemaSerializer checked = with(json);
      assertThat(checked.write(FITS)).isEqualTo(json.write(FITS));
      assertThat(checked.read(checked.write(FITS), Placed.class)).isEqualTo(FITS);
      assertThat(checked.readExactly(checked.write(FITS), Placed.class)).isEqualTo(FITS);
      assertThat(checked.contentType()).isEqualTo(json.contentType());
    }
  }

  @Test
  void whatDoesNotFitIsRefusedWithThePlaceAndNoValue() {
    refused(new Placed("", List.of()), "/orderId breaks the rule minLength");
    refused(
        new Placed("o", List.of(new Line("CANARY", 1), new Line("CANARY", -7))),
        "/lines/1/count breaks the rule minimum");
    refused(new Placed("o", List.of(new Line(null, 1))), "/lines/0/sku breaks the rule type");
    Line line = new Line("CANARY", 1);
    refused(new Placed("o", List.of(line, line, line, line)), "/lines breaks the rule maxItems");
  }

  private void refused(Placed placed, String place) {
    assertThatThrownBy(() -> serializer.write(placed))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD))
        .hasMessageContainingAll(Placed.class.getName(), "does not fit its JSON Schema: " + place)
        .hasMessageNotContaining("CANARY")
        .hasNoCause();
  }

  @Test
  void aPatternThatOverflowsTheStackIsAFailureOfTheEvent() {
    String pattern =
        """
        {"type": "object", "properties": {"orderId": {"type": "string", "pattern": "^(o|p)*$"}}}
        """;
    JsonSchemaSerializer nested =
        JsonSchemaSerializer.around(JacksonSerializer.create())
            .schema(Other.class, pattern)
            .build();
    assertThat(nested.write(new Other("op"))).isNotEmpty();
    assertThatThrownBy(() -> nested.write(new Other("o".repeat(200_000))))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD))
        .hasMessageContainingAll(Other.class.getName(), "cannot be checked: StackOverflowError")
        .hasNoCause();
  }

  private static Events events(PayloadSerializer serializer, Class<?> type) {
    return Events.builder()
        .serializer(serializer)
        .types(
            EventTypes.builder()
                .register(type, t -> t.name("order.placed").topic("orders").keyless()))
        .build();
  }

  @Test
  void aTypeWithoutASchemaIsRefusedAtTheStart() {
    assertThatNoException().isThrownBy(() -> events(serializer, Placed.class));
    assertThatThrownBy(() -> events(serializer, Other.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("there is no JSON Schema for events of", "schema(Other.class, …)");
    assertThatThrownBy(() -> serializer.write(new Other("o")))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void oneThatDoesNotFitRefusesTheWholeAppend() {
    Events events = events(serializer, Placed.class);
    assertThatThrownBy(() -> events.messages(List.of(FITS, new Placed("", List.of()))))
        .hasMessageContaining("/orderId");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{} {}",
        "{'type':'object','type':'object'}",
        "{'type':'objekt'}",
        "{'minimum':'1'}",
        "{'$ref':'#/$defs/nowhere'}",
        "{'$ref':'https://example.org/order.json'}",
        "{'$schema':'https://example.org/no-dialect'}",
        "7"
      })
  void whatIsNoSchemaIsRefusedAtTheStart(String schema) {
    JsonSchemaSerializer.Builder builder =
        JsonSchemaSerializer.around(JacksonSerializer.create())
            .schema(Placed.class, schema.replace('\'', '"'));
    assertThatThrownBy(builder::build)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("the schema of " + Placed.class.getName());
  }

  @Test
  void anIncompatibleSchemaIsRefusedWithItsDifferences() {
    String older = SCHEMA.replace("\"minLength\": 1", "\"minLength\": 0");
    assertThatThrownBy(
            () ->
                JsonSchemaSerializer.around(JacksonSerializer.create())
                    .schema(Placed.class, SCHEMA, older)
                    .build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021")
        .hasMessageContainingAll(
            Placed.class.getName(), "/orderId: minLength has changed", "new version");
    assertThatNoException()
        .isThrownBy(
            () ->
                JsonSchemaSerializer.around(JacksonSerializer.create())
                    .schema(Placed.class, older, SCHEMA)
                    .build());
  }

  @Test
  void twoSchemasOfOneClassAreRefused() {
    assertThatThrownBy(
            () ->
                JsonSchemaSerializer.around(JacksonSerializer.create())
                    .schema(Placed.class, SCHEMA)
                    .schema(Placed.class, SCHEMA)
                    .build())
        .hasMessageContaining("two schemas are given");
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    byte[] payload = {};
    List<ThrowingCallable> calls =
        List.of(
            () -> JsonSchemaSerializer.around(null),
            () -> serializer.check(null),
            () -> serializer.write(null),
            () -> serializer.read(null, Placed.class, field -> {}),
            () -> serializer.read(payload, null, field -> {}),
            () -> serializer.read(payload, Placed.class, null),
            () -> serializer.readExactly(null, Placed.class),
            () -> serializer.readExactly(payload, null),
            () -> serializer.checkTree(null),
            () -> serializer.rewrite(null, ObjectNode.class, json -> json),
            () -> serializer.rewrite(payload, null, json -> null),
            () -> serializer.rewrite(payload, ObjectNode.class, null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }

  @Test
  void upcastsAreThoseOfTheSerializerAround() {
    Events events =
        Events.builder()
            .serializer(serializer)
            .types(
                EventTypes.builder()
                    .register(
                        Placed.class,
                        t ->
                            t.name("order.placed")
                                .version(2)
                                .topic("orders")
                                .keyless()
                                .upcast(
                                    1,
                                    2,
                                    ObjectNode.class,
                                    json -> json.set("orderId", json.remove("id")))))
            .build();
    assertThat(events.read("order.placed", 1, "{\"id\":\"o-1\",\"lines\":[]}".getBytes(UTF_8)))
        .isEqualTo(new Placed("o-1", List.of()));
  }
}
