// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static io.outledger.servers.ScriptedRegistry.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.outledger.InvalidMessageException;
import io.outledger.OutledgerException;
import io.outledger.avro.shop.OrderPlaced;
import io.outledger.event.Events;
import io.outledger.schemaregistry.SchemaNotFetchedException;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.servers.ScriptedRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads in the wire format are read by schemas that a registry has, which nobody waits for. */
final class FetchedAvroTest {

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final SchemaRegistry registry = SchemaRegistry.at(peer.uri());
  private final AvroSerializer serializer = AvroSerializer.builder().readFrom(registry).build();

  @AfterEach
  void close() {
    peer.close();
  }

  private static byte[] older() {
    AvroSerializer generic = AvroSerializer.builder().records(Orders.OLDER).build();
    return Wire.of(
        7,
        generic.write(
            new GenericRecordBuilder(Orders.OLDER)
                .set("orderId", "o-1")
                .set("cents", 1990)
                .set("coupon", "none")
                .build()));
  }

  private static byte[] first() {
    AvroSerializer generic = AvroSerializer.builder().records(Orders.FIRST).build();
    return Wire.of(
        7,
        generic.write(
            new GenericRecordBuilder(Orders.FIRST)
                .set("orderId", "o-1")
                .set("amount", "19.90")
                .build()));
  }

  private static ScriptedRegistry.Answer has(Schema schema) {
    return says(
        200, new JsonMapper().createObjectNode().put("schema", schema.toString()).toString());
  }

  /** Reads again and again while the schema is being fetched. */
  private static OutledgerException failure(Runnable reading) {
    while (true) {
      try {
        reading.run();
        throw new AssertionError("it was read");
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      } catch (OutledgerException e) {
        return e;
      }
    }
  }

  private static OrderPlaced read(AvroSerializer by, byte[] payload, List<String> unknown) {
    return eventually(() -> by.read(payload, OrderPlaced.class, unknown::add));
  }

  /** Reads until the schema is here. */
  private static <T> T eventually(Supplier<T> reading) {
    while (true) {
      try {
        return reading.get();
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void anEventOfAnotherApplicationIsReadOnceItsSchemaIsHere() {
    peer.answer(has(Orders.OLDER));
    assertThatThrownBy(() -> serializer.read(older(), OrderPlaced.class))
        .isInstanceOf(SchemaNotFetchedException.class)
        .hasMessageStartingWith("OUT-038")
        .hasMessageContainingAll("the id 7", "tried again");

    List<String> unknown = new ArrayList<>();
    assertThat(read(serializer, older(), unknown).getCents()).isEqualTo(1990);
    assertThat(read(serializer, older(), unknown).getCents()).isEqualTo(1990);
    assertThat(unknown).containsExactly("coupon", "coupon");
    assertThat(peer.requests()).containsExactly("GET /schemas/ids/7 ");
  }

  @Test
  void anUpcastBeginsWithTheSchemaOfTheRegistry() {
    peer.answer(has(Orders.FIRST));
    byte[] first = first();
    Events events =
        Orders.events(
            serializer,
            type -> type.version(2).upcast(1, 2, GenericRecord.class, AvroUpcastTest::inCents));
    assertThat((OrderPlaced) eventually(() -> events.read("order.placed", 1, first)))
        .extracting(OrderPlaced::getCents)
        .isEqualTo(1990L);
  }

  @Test
  void aSchemaThatTodaysCannotReadIsAFailureOfTheMessage() {
    peer.answer(has(Orders.FIRST));
    byte[] payload = first();
    assertThat(failure(() -> serializer.read(payload, OrderPlaced.class)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("missing required field cents");
  }

  @ParameterizedTest
  @ValueSource(strings = {"java.math.BigInteger", "io.outledger.avro.Orders", "no.such.Class"})
  void noClassIsChosenByASchemaOfTheRegistry(String named) {
    Schema schema =
        Orders.schema(
            """
            {"type": "record", "name": "Named", "fields": [
               {"name": "text", "type": {"type": "string", "java-class": "%1$s"}},
               {"name": "map",
                "type": {"type": "map", "values": "int", "java-key-class": "%1$s"}}]}
            """
                .formatted(named));
    peer.answer(has(schema));
    GenericRecord written =
        new GenericRecordBuilder(schema).set("text", "42").set("map", Map.of("7", 1)).build();
    byte[] payload = Wire.of(7, AvroSerializer.builder().records(schema).build().write(written));

    GenericRecord read = eventually(() -> serializer.read(payload, GenericRecord.class));
    assertThat(read.get("text")).isInstanceOf(CharSequence.class).hasToString("42");
    assertThat(((Map<?, ?>) read.get("map")).keySet())
        .allSatisfy(key -> assertThat(key).isInstanceOf(CharSequence.class));
  }

  /** Its fingerprint and its bytes are those of today's schema. */
  @Test
  void aSchemaOfTheRegistryWhoseBytesMeanSomethingElseIsAFailureOfTheMessage() {
    Schema micros =
        Orders.schema(
            OrderPlaced.getClassSchema()
                .toString()
                .replace("timestamp-millis", "timestamp-micros"));
    assertThat(SingleObject.fingerprint(micros))
        .isEqualTo(SingleObject.fingerprint(OrderPlaced.getClassSchema()));
    peer.answer(has(micros));
    byte[] payload = Wire.of(7, serializer.write(Orders.ORDER));
    AvroSerializer generic =
        AvroSerializer.builder().readFrom(registry).records(OrderPlaced.getClassSchema()).build();
    for (Runnable reading :
        List.<Runnable>of(
            () -> serializer.read(payload, OrderPlaced.class),
            () -> generic.read(payload, GenericRecord.class))) {
      assertThat(failure(reading))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining(
              "does not fit: logical type: placedAt was timestamp-micros and is timestamp-millis");
    }
    assertThat(eventually(() -> serializer.read(payload, GenericRecord.class)).getSchema())
        .isEqualTo(micros);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | {\"error_code\":40403,\"message\":\"Schema not found\"} | Schema not found",
        "200 | {\"schema\":\"{\"} | no schema of Avro",
        "200 | {\"schema\":\"syntax\",\"schemaType\":\"PROTOBUF\"} | of the type PROTOBUF",
        "200 | {\"schema\":\"{}\",\"references\":[{\"name\":\"a\"}]} | refers to other schemas"
      })
  void anIdWithoutASchemaIsAFailureOfTheMessage(int status, String body, String why) {
    peer.answer(says(status, body));
    assertThat(failure(() -> serializer.read(older(), OrderPlaced.class)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageContainingAll("the id 7", why);
  }

  @Test
  void schemasOfSubjectsAreFetchedAtTheStart() {
    peer.answer(
        exchange ->
            (exchange.getRequestURI().getPath().endsWith("/versions")
                    ? says(200, "[1, 2]")
                    : says(200, version(exchange.getRequestURI().getPath())))
                .to(exchange));
    AvroSerializer prepared = AvroSerializer.builder().readFrom(registry, "orders-value").build();
    peer.close();
    assertThat(prepared.read(older(), OrderPlaced.class).getCents()).isEqualTo(1990);
  }

  private static String version(String path) {
    boolean isFirst = path.endsWith("/1");
    return new JsonMapper()
        .createObjectNode()
        .put("id", isFirst ? 6 : 7)
        .put("schema", (isFirst ? Orders.FIRST : Orders.OLDER).toString())
        .toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'record','name':'R','fields':[{'name':'a','type':'int','order':'x'}]}",
        "{'type':'record','name':'R','fields':[{'name':'a','type':'int','order':1}]}",
        "{'type':'record','name':'R'}",
        "{'type':'fixed','name':'F','size':-1}",
        "'string'",
        "['null','int']",
        "null",
        ""
      })
  void whateverReadingASchemaThrowsItIsNone(String schema) {
    String text =
        new JsonMapper().createObjectNode().put("schema", schema.replace('\'', '"')).toString();
    peer.answer(says(200, text));
    assertThat(failure(() -> serializer.read(new byte[] {0, 0, 0, 0, 7}, OrderPlaced.class)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageContaining("the id 7");

    String version = "{\"id\":7," + text.substring(1);
    peer.answer(
        exchange ->
            (exchange.getRequestURI().getPath().endsWith("/versions")
                    ? says(200, "[1]")
                    : says(200, version))
                .to(exchange));
    AvroSerializer started = AvroSerializer.builder().readFrom(registry, "orders-value").build();
    assertThatThrownBy(() -> started.read(new byte[] {0, 0, 0, 0, 7}, OrderPlaced.class))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void withoutARegistryTheWireFormatIsAFailureOfTheMessage() {
    assertThatThrownBy(() -> AvroSerializer.create().read(older(), OrderPlaced.class))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("readFrom(…)");
  }
}
