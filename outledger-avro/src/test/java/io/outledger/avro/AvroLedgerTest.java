// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.avro.shop.OrderPlaced;
import io.outledger.event.Events;
import io.outledger.junit.InMemoryExtension;
import io.outledger.store.ParkedState;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events go through a ledger and its relay as Avro; what cannot be read is parked alone. */
final class AvroLedgerTest {

  private final List<OrderPlaced> handled = new ArrayList<>();

  private final AvroSerializer serializer =
      AvroSerializer.builder().type(OrderPlaced.class, Orders.OLDER).records(Orders.FIRST).build();

  @RegisterExtension
  final InMemoryExtension outledger =
      InMemoryExtension.with(
              serializer,
              types ->
                  types.register(
                      OrderPlaced.class,
                      type ->
                          type.name("order.placed")
                              .version(2)
                              .topic("orders")
                              .key(OrderPlaced::getOrderId)
                              .upcast(1, 2, GenericRecord.class, AvroUpcastTest::inCents)))
          .handler("mail", h -> h.on(OrderPlaced.class, (order, context) -> handled.add(order)));

  @Test
  void anEventIsAppendedPublishedAndHandled() {
    outledger.outbox().append(List.of(Orders.ORDER));
    outledger.settle();

    assertThat(handled).containsExactly(Orders.ORDER);
    Message published = outledger.publisher().messages().get(0);
    assertThat(published.headers()).containsEntry(Events.CONTENT_TYPE, "application/avro");
    assertThat(outledger.events().read(published)).isEqualTo(Orders.ORDER);
  }

  @Test
  void whatWasWrittenByAnUnknownSchemaIsParkedAndTheOthersGoOn() {
    append(2, unknown(), "o-2");
    append(2, new byte[] {1, 2, 3}, "o-3");
    append(1, first(), "o-4");
    outledger.outbox().append(List.of(Orders.ORDER));
    outledger.settle();

    assertThat(handled).extracting(OrderPlaced::getCents).containsExactlyInAnyOrder(100L, 1990L);
    assertThat(outledger.subscription().parked())
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.message().state()).isEqualTo(ParkedState.RETRYING))
        .anySatisfy(row -> assertThat(row.error()).contains("OUT-015", "does not know"))
        .anySatisfy(row -> assertThat(row.error()).contains("OUT-015", "single-object"));
  }

  private void append(int version, byte[] payload, String key) {
    outledger
        .outbox()
        .append(
            List.of(
                Message.to("orders", "order.placed")
                    .version(version)
                    .key(key)
                    .payload(payload)
                    .build()));
  }

  private byte[] first() {
    return serializer.write(
        new GenericRecordBuilder(Orders.FIRST).set("orderId", "o-4").set("amount", "1").build());
  }

  private static byte[] unknown() {
    var schema =
        Orders.schema(
            """
            {"type": "record", "name": "Newer", "fields": [{"name": "orderId", "type": "string"}]}
            """);
    return AvroSerializer.builder()
        .records(schema)
        .build()
        .write(new GenericRecordBuilder(schema).set("orderId", "o-2").build());
  }
}
