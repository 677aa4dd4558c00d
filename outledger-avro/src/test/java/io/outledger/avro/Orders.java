// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.avro.shop.Line;
import io.outledger.avro.shop.OrderPlaced;
import io.outledger.event.EventType;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.avro.Schema;

/** Orders of the tests, and schemas that they had before. */
final class Orders {

  static final OrderPlaced ORDER =
      new OrderPlaced(
          "o-1",
          1990L,
          List.of(new Line("tea", 2)),
          "for you",
          Instant.ofEpochMilli(1_700_000_000_123L),
          Map.of("colour", "red"));

  /** Before there were gifts, and with a field that is gone. */
  static final Schema OLDER =
      schema(
          """
          {"type": "record", "name": "OrderPlaced", "namespace": "io.outledger.avro.shop",
           "fields": [
             {"name": "orderId", "type": "string"},
             {"name": "cents", "type": "int"},
             {"name": "coupon", "type": "string"}]}
          """);

  /** Of version 1, which today's schema cannot read: the amount was a text. */
  static final Schema FIRST =
      schema(
          """
          {"type": "record", "name": "OrderPlaced", "namespace": "io.outledger.avro.shop",
           "fields": [
             {"name": "orderId", "type": "string"},
             {"name": "amount", "type": "string"}]}
          """);

  private Orders() {}

  /** Parses a schema, alone: one parser would not take two of one name. */
  static Schema schema(String text) {
    return new Schema.Parser().parse(text);
  }

  static Events events(PayloadSerializer serializer) {
    return events(serializer, type -> {});
  }

  static Events events(
      PayloadSerializer serializer, Consumer<EventType.Builder<OrderPlaced>> more) {
    return Events.builder().serializer(serializer).types(types(more)).build();
  }

  static EventTypes.Builder types(Consumer<EventType.Builder<OrderPlaced>> more) {
    return EventTypes.builder()
        .register(
            OrderPlaced.class,
            type ->
                more.accept(
                    type.name("order.placed").topic("orders").key(OrderPlaced::getOrderId)));
  }

  static OrderPlaced random(SplittableRandom random) {
    List<Line> lines = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      lines.add(new Line(text(random), random.nextInt()));
    }
    return new OrderPlaced(
        text(random),
        random.nextLong(),
        lines,
        random.nextBoolean() ? text(random) : null,
        Instant.ofEpochMilli(random.nextLong(-1_000_000_000_000_000L, 1_000_000_000_000_000L)),
        random.nextBoolean() ? Map.of() : Map.of(text(random), text(random)));
  }

  private static String text(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
