// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static io.outledger.servers.ScriptedRegistry.says;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.avro.shop.OrderPlaced;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.WireFormat;
import io.outledger.schemaregistry.WireFormatPublisher;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.testing.RecordingPublisher;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;

/** What the page on Avro shows. */
final class AvroGuideTest {

  static void events(EventTypes.Builder events) {
    events.register(
        OrderPlaced.class,
        type -> type.name("order.placed").topic("orders").key(OrderPlaced::getOrderId));
  }

  static PayloadSerializer serializer() {
    return AvroSerializer.create();
  }

  static PayloadSerializer serializer(Schema before) {
    return AvroSerializer.builder().type(OrderPlaced.class, before).build();
  }

  static PayloadSerializer serializerOfBoth(Schema versionOne) {
    return AvroSerializer.builder().records(versionOne).build();
  }

  static void eventsOfBoth(EventTypes.Builder events) {
    events.register(
        OrderPlaced.class,
        type ->
            type.name("order.placed")
                .version(2)
                .topic("orders")
                .key(OrderPlaced::getOrderId)
                .upcast(1, 2, GenericRecord.class, AvroGuideTest::inCents));
  }

  static GenericRecord inCents(GenericRecord one) {
    BigDecimal amount = new BigDecimal(one.get("amount").toString());
    return new GenericRecordBuilder(OrderPlaced.getClassSchema())
        .set("orderId", one.get("orderId"))
        .set("cents", amount.movePointRight(2).longValueExact())
        .build();
  }

  static Publisher publisher(
      Publisher kafka, AvroSerializer serializer, URI address, String password) {
    SchemaRegistry registry = SchemaRegistry.at(address).basicAuth("shop", password);
    return WireFormatPublisher.around(kafka, registry, serializer.schemas());
  }

  static AvroSerializer reader(URI address, String password) {
    return AvroSerializer.builder()
        .readFrom(SchemaRegistry.at(address).basicAuth("billing", password), "orders-value")
        .build();
  }

  private static Events built(PayloadSerializer serializer, EventTypes.Builder types) {
    return Events.builder().serializer(serializer).types(types).build();
  }

  @Test
  void eventsAreWrittenAndReadAsThePageSays() {
    EventTypes.Builder types = EventTypes.builder();
    events(types);
    Events events = built(serializer(), types);
    assertThat(events.read(events.message(Orders.ORDER))).isEqualTo(Orders.ORDER);
    assertThat(built(serializer(Orders.OLDER), types).types().all()).hasSize(1);
  }

  @Test
  void versionOneIsReadAsThePageSays() {
    EventTypes.Builder types = EventTypes.builder();
    eventsOfBoth(types);
    AvroSerializer one = AvroSerializer.builder().records(Orders.FIRST).build();
    byte[] payload =
        one.write(
            new GenericRecordBuilder(Orders.FIRST)
                .set("orderId", "o-1")
                .set("amount", "19.9")
                .build());
    assertThat(built(serializerOfBoth(Orders.FIRST), types).read("order.placed", 1, payload))
        .extracting("cents")
        .isEqualTo(1990L);
  }

  @Test
  void theWireFormatIsWrittenAsThePageSays() {
    try (ScriptedRegistry peer = new ScriptedRegistry()) {
      peer.answer(says(200, "{\"id\":7}"));
      RecordingPublisher kafka = new RecordingPublisher();
      AvroSerializer serializer = AvroSerializer.create();
      EventTypes.Builder types = EventTypes.builder();
      events(types);
      Message message = built(serializer, types).message(Orders.ORDER);
      Publisher publisher = publisher(kafka, serializer, peer.uri(), "secret");
      while (kafka.messages().isEmpty()) { // the registry may not be that fast
        try (PublisherClient client =
            publisher.open(Duration.ofMinutes(1), (position, outcome) -> {})) {
          client.publish(1, 1, message);
        } catch (DestinationUnavailableException e) {
          Thread.onSpinWait();
        }
      }
      assertThat(WireFormat.id(kafka.messages().get(0).payload())).isEqualTo(7);
      assertThat(reader(peer.uri(), "secret").contentType()).isEqualTo("application/avro");
    }
  }
}
