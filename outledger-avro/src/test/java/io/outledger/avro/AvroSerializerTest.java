// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.avro.shop.Folder;
import io.outledger.avro.shop.OrderPlaced;
import io.outledger.avro.strangers.Stranger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class AvroSerializerTest {

  private final AvroSerializer serializer = AvroSerializer.create();

  @Test
  void anEventIsWrittenInSingleObjectEncodingAndRead() throws IOException {
    byte[] payload = serializer.write(Orders.ORDER);

    assertThat(payload).isEqualTo(Orders.ORDER.toByteBuffer().array());
    assertThat(OrderPlaced.getDecoder().decode(payload)).isEqualTo(Orders.ORDER);
    assertThat(serializer.read(payload, OrderPlaced.class)).isEqualTo(Orders.ORDER);
    assertThat(serializer.readExactly(payload, OrderPlaced.class)).isEqualTo(Orders.ORDER);
    assertThat(serializer.contentType()).isEqualTo("application/avro");
  }

  private static GenericRecord first(String amount) {
    return new GenericRecordBuilder(Orders.FIRST)
        .set("orderId", "o-1")
        .set("amount", amount)
        .build();
  }

  @Test
  void recordsOfASchemaThatWasGivenAreWrittenAndRead() {
    AvroSerializer generic = AvroSerializer.builder().records(Orders.FIRST).build();
    byte[] payload = generic.write(first("19.90"));

    assertThat(generic.read(payload, GenericRecord.class)).hasToString(first("19.90").toString());
    assertThat(generic.read(payload, GenericData.Record.class).get("amount")).hasToString("19.90");
    assertThatNoException().isThrownBy(() -> generic.check(GenericData.Record.class));
    assertThatThrownBy(() -> serializer.write(first("CANARY")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll("io.outledger.avro.shop.OrderPlaced", "records(…)")
        .hasMessageNotContaining("CANARY");
    assertThatThrownBy(() -> serializer.check(GenericData.Record.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("records(…)");
  }

  @Test
  void aClassWithoutASchemaIsRefusedAtTheStart() {
    assertThatThrownBy(() -> serializer.check(String.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("events of java.lang.String cannot be Avro", "SpecificRecord");
    assertThatThrownBy(() -> AvroSerializer.builder().type(String.class).build())
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> serializer.write("o-1")).isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> serializer.read(serializer.write(Orders.ORDER), String.class))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void aClassThatAvroDoesNotTrustIsRefusedAtTheStartWithWhatToDo() {
    assertThatThrownBy(() -> serializer.check(Stranger.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "does not trust io.outledger.avro.strangers.Kind,"
                + " io.outledger.avro.strangers.Stranger;",
            "-Dorg.apache.avro.SERIALIZABLE_PACKAGES=io.outledger.avro.strangers,");
  }

  @Test
  void whatDoesNotFitIsRefusedWithThePlaceAndNoValue() {
    OrderPlaced order = OrderPlaced.newBuilder(Orders.ORDER).build();
    order.setOrderId(null);
    assertThatThrownBy(() -> serializer.write(order))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD))
        .hasMessageEndingWith("null where the schema allows none at OrderPlaced.orderId")
        .hasNoCause();

    AvroSerializer generic = AvroSerializer.builder().records(Orders.FIRST).build();
    GenericRecord wrong = new GenericData.Record(Orders.FIRST);
    wrong.put("orderId", "o-1");
    wrong.put("amount", List.of("CANARY"));
    assertThatThrownBy(() -> generic.write(wrong))
        .hasMessageEndingWith(
            "a value of a class that the schema does not allow at OrderPlaced.amount")
        .hasMessageNotContaining("CANARY")
        .hasNoCause();
  }

  @Test
  void whatIsNestedTooDeeplyIsRefused() {
    Folder folder = new Folder("innermost", null);
    for (int i = 0; i < 100_000; i++) {
      folder = new Folder("f", folder);
    }
    Folder deep = folder;
    assertThatThrownBy(() -> serializer.write(deep)).hasMessageEndingWith("nested too deeply");
    assertThat(serializer.read(serializer.write(Orders.ORDER), OrderPlaced.class))
        .isEqualTo(Orders.ORDER);
  }

  @Test
  void anOlderSchemaIsReadByToday() {
    AvroSerializer today = AvroSerializer.builder().type(OrderPlaced.class, Orders.OLDER).build();
    byte[] payload = older(1990);

    List<String> ignored = new ArrayList<>();
    OrderPlaced order = today.read(payload, OrderPlaced.class, ignored::add);
    assertThat(order.getCents()).isEqualTo(1990);
    assertThat(order.getLines()).isEmpty();
    assertThat(order.getGift()).isNull();
    assertThat(ignored).containsExactly("coupon");
    assertThatThrownBy(() -> today.readExactly(payload, OrderPlaced.class))
        .hasMessageContaining("field coupon");
  }

  private static byte[] older(int cents) {
    return AvroSerializer.builder()
        .records(Orders.OLDER)
        .build()
        .write(
            new GenericRecordBuilder(Orders.OLDER)
                .set("orderId", "o-1")
                .set("cents", cents)
                .set("coupon", "CANARY")
                .build());
  }

  @Test
  void aSchemaThatIsNotKnownIsNotRead() {
    assertThatThrownBy(() -> serializer.read(older(1990), OrderPlaced.class))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD))
        .hasMessageContainingAll(
            SingleObject.shown(SingleObject.fingerprint(Orders.OLDER)), "does not know")
        .hasMessageNotContaining("CANARY");
  }

  @Test
  void oneSchemaIsGivenOnce() {
    assertThatThrownBy(
            () ->
                AvroSerializer.builder()
                    .type(OrderPlaced.class)
                    .type(OrderPlaced.class)
                    .records(Orders.FIRST)
                    .records(Orders.FIRST)
                    .build())
        .hasMessageContainingAll("older schemas of", "is given twice; give it once");
    Schema renamed =
        Orders.schema(
            Orders.FIRST.toString().replace("\"orderId\"", "\"id\",\"aliases\":[\"orderId\"]"));
    assertThatThrownBy(
            () ->
                AvroSerializer.builder()
                    .records(Orders.FIRST)
                    .records(renamed, Orders.FIRST)
                    .build())
        .hasMessageContaining("is given twice with records(…)");
    assertThatThrownBy(
            () -> AvroSerializer.builder().records(Schema.create(Schema.Type.STRING)).build())
        .hasMessageContaining("must be a record's");
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    byte[] payload = {};
    List<ThrowingCallable> calls =
        List.of(
            () -> AvroSerializer.builder().type(null),
            () -> AvroSerializer.builder().type(OrderPlaced.class, (Schema[]) null),
            () -> AvroSerializer.builder().type(OrderPlaced.class, (Schema) null),
            () -> AvroSerializer.builder().records(null),
            () -> AvroSerializer.builder().records(Orders.FIRST, (Schema[]) null),
            () -> AvroSerializer.builder().records(Orders.FIRST, (Schema) null),
            () -> serializer.check(null),
            () -> serializer.write(null),
            () -> serializer.read(null, OrderPlaced.class, field -> {}),
            () -> serializer.read(payload, null, field -> {}),
            () -> serializer.read(payload, OrderPlaced.class, null),
            () -> serializer.readExactly(null, OrderPlaced.class),
            () -> serializer.readExactly(payload, null),
            () -> serializer.checkTree(null),
            () -> serializer.rewrite(null, GenericRecord.class, record -> record),
            () -> serializer.rewrite(payload, null, record -> null),
            () -> serializer.rewrite(payload, GenericRecord.class, null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
