// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.InvalidProtocolBufferException;
import io.outledger.Message;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.junit.InMemoryExtension;
import io.outledger.junit.OutledgerAssertions;
import io.outledger.protobuf.shop.OrderPlaced;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.WireFormat;
import io.outledger.schemaregistry.WireFormatPublisher;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.store.ParkedState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events go through a ledger and its relay; what cannot be read is parked alone. */
final class ProtobufLedgerTest {

  private final List<OrderPlaced> handled = new ArrayList<>();

  @RegisterExtension
  final InMemoryExtension outledger =
      InMemoryExtension.with(serializer(), ProtobufLedgerTest::events)
          .handler("mail", h -> h.on(OrderPlaced.class, (order, context) -> handled.add(order)));

  static PayloadSerializer serializer() {
    return ProtobufSerializer.create();
  }

  static void events(EventTypes.Builder events) {
    events.register(
        OrderPlaced.class,
        type -> type.name("order.placed").topic("orders").key(OrderPlaced::getOrderId));
  }

  static PayloadSerializer serializerOfBoth(FileDescriptorSet before) {
    return ProtobufSerializer.builder().type(OrderPlaced.class, before).build();
  }

  static Publisher publisher(
      Publisher kafka, SchemaRegistry registry, ProtobufSerializer serializer, Events events) {
    return WireFormatPublisher.around(kafka, registry, serializer.schemas(events.types()));
  }

  static ProtobufSerializer reader(SchemaRegistry registry) {
    return ProtobufSerializer.builder().readFrom(registry, "orders-value").build();
  }

  @Test
  void whatIsAppendedLeavesInTheWireFormatAndIsRead() {
    try (ScriptedRegistry peer = new ScriptedRegistry()) {
      SchemaRegistry registry = SchemaRegistry.at(peer.uri());
      peer.answer(ScriptedRegistry.says(200, "{\"id\":7}"));
      outledger.outbox().append(List.of(ProtobufSerializerTest.ORDER));
      Publisher publisher =
          publisher(
              outledger.publisher(), registry, ProtobufSerializer.create(), outledger.events());
      while (outledger.publisher().messages().isEmpty()) { // the registry may not be that fast
        try (PublisherClient client =
            publisher.open(Duration.ofMinutes(1), (position, outcome) -> {})) {
          client.publish(1, 1, outledger.outbox().appended().get(0).messages().get(0));
        } catch (DestinationUnavailableException e) {
          Thread.onSpinWait();
        }
      }
      byte[] payload = outledger.publisher().messages().get(0).payload();
      assertThat(WireFormat.id(payload)).isEqualTo(7);
      peer.answer(
          exchange ->
              ScriptedRegistry.says(
                      200,
                      exchange.getRequestURI().getPath().endsWith("/versions")
                          ? "[1]"
                          : "{\"id\":7,\"schema\":\"message Order"
                              + " {}\",\"schemaType\":\"PROTOBUF\"}")
                  .to(exchange));
      assertThat(reader(registry).read(payload, OrderPlaced.class))
          .isEqualTo(ProtobufSerializerTest.ORDER);
    }
  }

  /** As {@code protoc} writes the files, and as an application reads them from its jar. */
  @Test
  void aFileOfAnEarlierReleaseIsCompared() throws InvalidProtocolBufferException {
    byte[] kept = Shape.files(OrderPlaced.getDescriptor().getFile().toProto()).toByteArray();
    PayloadSerializer both = serializerOfBoth(FileDescriptorSet.parseFrom(kept));
    assertThat(both.read(both.write(ProtobufSerializerTest.ORDER), OrderPlaced.class))
        .isEqualTo(ProtobufSerializerTest.ORDER);
  }

  @Test
  void anEventIsAppendedPublishedAndHandled() {
    outledger.outbox().append(List.of(ProtobufSerializerTest.ORDER));
    outledger.settle();

    assertThat(handled).containsExactly(ProtobufSerializerTest.ORDER);
    assertThat(outledger.publisher().messages())
        .singleElement()
        .satisfies(
            message ->
                assertThat(message.headers())
                    .containsEntry(Events.CONTENT_TYPE, "application/protobuf"));
  }

  @Test
  void whatCannotBeParsedIsParkedAndTheOthersGoOn() {
    Message bad =
        Message.to("orders", "order.placed").key("o-2").payload(new byte[] {10, 9}).build();
    outledger.outbox().append(List.of(bad, ProtobufSerializerTest.ORDER));
    outledger.settle();

    assertThat(handled).containsExactly(ProtobufSerializerTest.ORDER);
    assertThat(outledger.subscription().parked())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.message().state()).isEqualTo(ParkedState.RETRYING);
              assertThat(row.error()).contains("OUT-015", "cannot be read");
            });
  }

  /** Its bytes happen to be an order, so that nothing but the header tells. */
  @Test
  void whatIsOfAnotherMediaTypeIsParkedAndNotTakenForAnOrder() {
    Message text =
        Message.to("orders", "order.placed")
            .key("o-2")
            .header(Events.CONTENT_TYPE, "text/plain")
            .payload(new byte[] {10, 1, 'x'})
            .build();
    outledger.outbox().append(List.of(text, ProtobufSerializerTest.ORDER));
    outledger.settle();

    assertThat(handled).containsExactly(ProtobufSerializerTest.ORDER);
    assertThat(outledger.subscription().parked())
        .singleElement()
        .satisfies(row -> assertThat(row.error()).contains("OUT-015", "is text/plain"));
  }

  @Test
  void whatWasEverWrittenIsRead() {
    OutledgerAssertions.assertThat(outledger.events())
        .writesPayloadsUnder(Path.of("src/test/payloads"), ProtobufSerializerTest.ORDER)
        .readsPayloadsUnder(Path.of("src/test/payloads"));
  }
}
