// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.avro.shop.OrderPlaced;
import io.outledger.event.Events;
import java.math.BigDecimal;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;

/** Payloads of older versions are changed as records, and become today's events. */
final class AvroUpcastTest {

  private final AvroSerializer serializer =
      AvroSerializer.builder().type(OrderPlaced.class).records(Orders.FIRST).build();

  private final Events events = with(serializer);

  private static Events with(AvroSerializer serializer) {
    return Orders.events(
        serializer,
        type -> type.version(2).upcast(1, 2, GenericRecord.class, AvroUpcastTest::inCents));
  }

  static GenericRecord inCents(GenericRecord first) {
    return new GenericRecordBuilder(OrderPlaced.getClassSchema())
        .set("orderId", first.get("orderId"))
        .set(
            "cents",
            new BigDecimal(first.get("amount").toString()).movePointRight(2).longValueExact())
        .build();
  }

  private byte[] first(String amount) {
    return serializer.write(
        new GenericRecordBuilder(Orders.FIRST).set("orderId", "o-1").set("amount", amount).build());
  }

  @Test
  void anOlderPayloadBecomesTodaysEvent() {
    assertThat(events.read("order.placed", 1, first("19.90")))
        .isInstanceOfSatisfying(
            OrderPlaced.class,
            order -> {
              assertThat(order.getOrderId()).isEqualTo("o-1");
              assertThat(order.getCents()).isEqualTo(1990);
              assertThat(order.getLabels()).isEqualTo(Map.of());
            });
    assertThat(events.read("order.placed", 2, serializer.write(Orders.ORDER)))
        .isEqualTo(Orders.ORDER);
  }

  @Test
  void aStepThatThrowsTellsNoValue() {
    assertThatThrownBy(() -> events.read("order.placed", 1, first("CANARY")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("NumberFormatException")
        .hasMessageNotContaining("CANARY");
  }

  @Test
  void aStepThatMakesNoRecordOfTodayIsAFailureOfTheMessage() {
    Events same =
        Orders.events(
            serializer, type -> type.version(2).upcast(1, 2, GenericRecord.class, it -> it));
    assertThatThrownBy(() -> same.read("order.placed", 1, first("1")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("does not know");
  }

  @Test
  void anOlderSchemaThatWasNotGivenIsAFailureOfTheMessage() {
    assertThatThrownBy(() -> with(AvroSerializer.create()).read("order.placed", 1, first("1")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll("does not know", "records(…)");
  }

  @Test
  void anUpcastOnAnotherTreeIsRefusedAtTheStart() {
    assertThatThrownBy(
            () ->
                Orders.events(
                    serializer, type -> type.version(2).upcast(1, 2, Map.class, it -> it)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("read as org.apache.avro.generic.GenericRecord");
  }

  @Test
  void aTypeThatWasSplitIsTakenByOne() {
    Events split =
        Orders.events(
            serializer,
            type ->
                type.splitFrom(
                    "order.changed",
                    1,
                    1,
                    GenericRecord.class,
                    record -> record.get("amount").toString().isEmpty() ? null : inCents(record)));
    assertThat(split.read("order.changed", 1, first("1"))).isInstanceOf(OrderPlaced.class);
    assertThatThrownBy(() -> split.read("order.changed", 1, first("")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("is of none of the types");
  }
}
