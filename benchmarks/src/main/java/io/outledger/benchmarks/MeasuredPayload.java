// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.avro.AvroSerializer;
import io.outledger.benchmarks.avro.MeasuredLine;
import io.outledger.benchmarks.avro.MeasuredOrder;
import io.outledger.event.EventTypes;
import io.outledger.event.PayloadSerializer;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jsonschema.JsonSchemaSerializer;
import io.outledger.protobuf.ProtobufSerializer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.util.ClassSecurityValidator;
import org.jspecify.annotations.Nullable;

/**
 * A way to write payloads, with an event: an order of five lines, the same in each way.
 *
 * @param name what machines call it
 * @param label what people call it
 * @param serializer writes and reads
 * @param event what is written
 */
record MeasuredPayload(String name, String label, PayloadSerializer serializer, Object event) {

  private static final int LINES = 5;
  private static final Instant PLACED_AT = Instant.parse("2026-11-27T12:34:56.789Z");
  private static final Map<String, String> LABELS = Map.of("channel", "web", "country", "de");

  private static final String SCHEMA =
      """
      {"type": "object",
       "properties": {
         "orderId": {"type": "string", "minLength": 1, "maxLength": 40},
         "cents": {"type": "integer", "minimum": 0},
         "lines": {"type": "array", "minItems": 1, "maxItems": 100,
                   "items": {"$ref": "#/$defs/line"}},
         "gift": {"type": ["string", "null"]},
         "placedAt": {"type": "string"},
         "labels": {"type": "object", "additionalProperties": {"type": "string"}}},
       "required": ["orderId", "cents", "lines", "placedAt", "labels"],
       "additionalProperties": false,
       "$defs": {
         "line": {"type": "object",
                  "properties": {
                    "sku": {"type": "string", "pattern": "^sku-[0-9]+$"},
                    "count": {"type": "integer", "minimum": 1},
                    "weight": {"type": "number", "exclusiveMinimum": 0}},
                  "required": ["sku", "count", "weight"],
                  "additionalProperties": false}}}
      """;

  record Line(String sku, int count, double weight) {}

  record Order(
      String orderId,
      long cents,
      List<Line> lines,
      @Nullable String gift,
      Instant placedAt,
      Map<String, String> labels) {}

  /** Returns all ways, plain JSON first. */
  static List<MeasuredPayload> all() {
    PayloadSerializer json = JacksonSerializer.create();
    return List.of(
        new MeasuredPayload("json", "JSON (Jackson)", json, order()),
        new MeasuredPayload(
            "json_schema",
            "JSON, checked by its schema",
            JsonSchemaSerializer.around(json).schema(Order.class, SCHEMA).build(),
            order()),
        new MeasuredPayload("avro", "Avro", avro(), avroOrder()),
        new MeasuredPayload("protobuf", "Protocol Buffers", ProtobufSerializer.create(), proto()));
  }

  private static PayloadSerializer avro() {
    String trusted = MeasuredOrder.class.getPackageName() + ".";
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(
            ClassSecurityValidator.DEFAULT, type -> type.getName().startsWith(trusted)));
    return AvroSerializer.builder().type(MeasuredOrder.class).build();
  }

  private static String sku(int line) {
    return "sku-" + (100_000 + line);
  }

  private static Order order() {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      lines.add(new Line(sku(i), i + 1, 0.25 + i));
    }
    return new Order("order-4711", 123_456, lines, "for you", PLACED_AT, LABELS);
  }

  private static MeasuredOrder avroOrder() {
    List<MeasuredLine> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      lines.add(new MeasuredLine(sku(i), i + 1, 0.25 + i));
    }
    return new MeasuredOrder("order-4711", 123_456L, lines, "for you", PLACED_AT, LABELS);
  }

  private static Object proto() {
    var order =
        io.outledger.benchmarks.protobuf.MeasuredOrder.newBuilder()
            .setOrderId("order-4711")
            .setCents(123_456)
            .setGift("for you")
            .setPlacedAtMillis(PLACED_AT.toEpochMilli())
            .putAllLabels(LABELS);
    for (int i = 0; i < LINES; i++) {
      order.addLines(
          io.outledger.benchmarks.protobuf.MeasuredLine.newBuilder()
              .setSku(sku(i))
              .setCount(i + 1)
              .setWeight(0.25 + i));
    }
    return order.build();
  }

  /** Registers the event's class. */
  void register(EventTypes.Builder events) {
    events.register(
        event.getClass(),
        type -> type.name("order.placed").topic("orders").key(order -> "order-4711"));
  }

  /** Reads a payload. */
  Object read(byte[] payload) {
    return serializer.read(payload, event.getClass());
  }
}
