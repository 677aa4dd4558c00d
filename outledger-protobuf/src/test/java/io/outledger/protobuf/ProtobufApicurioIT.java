// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Timestamp;
import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.protobuf.billing.Bill;
import io.outledger.protobuf.shop.Line;
import io.outledger.protobuf.shop.OrderPlaced;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaNotFetchedException;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.WireFormat;
import io.outledger.schemaregistry.WireFormatPublisher;
import io.outledger.servers.ApicurioRegistry;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real registry takes files with what they import, and refuses what is incompatible. */
@Tag("long")
final class ProtobufApicurioIT {

  private static final ApicurioRegistry SERVER = ApicurioRegistry.start();

  private static final EventTypes TYPES =
      EventTypes.builder()
          .register(OrderPlaced.class, type -> type.name("order").topic("orders").keyless())
          .register(Bill.class, type -> type.name("bill").topic("bills").keyless())
          .register(Bill.Paid.class, type -> type.name("bill.paid").topic("bills").keyless())
          .build();

  private static final Bill BILL =
      Bill.newBuilder()
          .setOrder(ProtobufSerializerTest.ORDER)
          .setDue(Timestamp.newBuilder().setSeconds(1_700_000_000))
          .build();

  private final SchemaRegistry registry =
      SchemaRegistry.at(SERVER.uri()).answerMax(Duration.ofSeconds(30));
  private final ProtobufSerializer serializer =
      ProtobufSerializer.builder().readFrom(registry).build();
  private final Events events = Events.builder().serializer(serializer).types(TYPES).build();
  private final List<Outcome> outcomes = new ArrayList<>();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private byte[] published(UnaryOperator<WireFormatPublisher> choices, Message message) {
    RecordingPublisher broker = new RecordingPublisher();
    WireFormatPublisher publisher =
        choices.apply(WireFormatPublisher.around(broker, registry, serializer.schemas(TYPES)));
    try (PublisherClient client =
        publisher.open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome))) {
      client.publish(1, 1, message);
    }
    return broker.messages().isEmpty() ? new byte[0] : broker.messages().get(0).payload();
  }

  private static Object eventually(ProtobufSerializer reader, byte[] payload, Class<?> type) {
    while (true) {
      try {
        return reader.read(payload, type);
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      } catch (OutledgerException e) {
        return e;
      }
    }
  }

  @Test
  void whatIsPublishedIsReadByItsIdElsewhere() {
    byte[] payload = published(it -> it, events.message(ProtobufSerializerTest.ORDER));
    assertThat(outcomes).containsExactly(Outcome.PUBLISHED);
    assertThat(WireFormat.id(payload))
        .isEqualTo(
            registry.register(
                "orders-value", ProtobufSerializer.registrySchema(OrderPlaced.getDescriptor())));
    assertThat(eventually(serializer, payload, OrderPlaced.class))
        .isEqualTo(ProtobufSerializerTest.ORDER);
    ProtobufSerializer prepared =
        ProtobufSerializer.builder().readFrom(registry, "orders-value").build();
    assertThat(prepared.read(payload, OrderPlaced.class)).isEqualTo(ProtobufSerializerTest.ORDER);
  }

  @Test
  void aFileWithImportsAndANestedMessageAreTaken() {
    byte[] bill = published(it -> it, events.message(BILL));
    Bill.Paid paid = Bill.Paid.newBuilder().setBy("card").build();
    byte[] nested = published(it -> it, events.message(paid));
    assertThat(outcomes).containsOnly(Outcome.PUBLISHED);
    assertThat(WireFormat.id(nested)).isEqualTo(WireFormat.id(bill)); // of one file
    assertThat(eventually(serializer, bill, Bill.class)).isEqualTo(BILL);
    assertThat(eventually(serializer, nested, Bill.Paid.class)).isEqualTo(paid);
    assertThat(eventually(serializer, nested, Line.class))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e).hasMessageContaining("by its schema it is Paid"));
  }

  @Test
  void anIdThatItDoesNotKnowIsAFailureOfTheMessage() {
    byte[] payload = {0, 0, 1, -30, 64, 0}; // 123,456
    assertThat(eventually(serializer, payload, OrderPlaced.class))
        .isInstanceOfSatisfying(
            InvalidMessageException.class, e -> assertThat(e).hasMessageContaining("123456"));
  }

  @Test
  void anIncompatibleFileIsRefusedWithItsWords() throws DescriptorValidationException {
    registry.register("changing-value", withAnotherType());
    SERVER.compatibility("changing-value", "BACKWARD");
    assertThatThrownBy(
            () ->
                registry.register(
                    "changing-value",
                    ProtobufSerializer.registrySchema(OrderPlaced.getDescriptor())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("refuses it: status 409");

    Message order = events.message(ProtobufSerializerTest.ORDER);
    Message changing =
        Message.to("changing", order.type()).key("o").payload(order.payload()).build();
    assertThat(published(it -> it, changing)).isEmpty();
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> assertThat(it.kind()).isEqualTo(Outcome.Rejected.Kind.TOPIC));
  }

  /** The file as it was when an amount was a text. */
  private static RegistrySchema withAnotherType() throws DescriptorValidationException {
    FileDescriptorProto.Builder file = OrderPlaced.getDescriptor().getFile().toProto().toBuilder();
    file.getMessageTypeBuilder(0).getFieldBuilder(1).setType(FieldDescriptorProto.Type.TYPE_STRING);
    FileDescriptor before = FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
    return ProtobufSerializer.registrySchema(before.getMessageTypes().get(0));
  }

  @Test
  void whatIsNotRegisteredIsNotTakenWhereNothingMayBeRegistered() {
    Message order = events.message(ProtobufSerializerTest.ORDER);
    Message somebodys =
        Message.to("somebodys", order.type()).key("o").payload(order.payload()).build();
    assertThat(published(WireFormatPublisher::registeredOnly, somebodys)).isEmpty();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Rejected.class);

    registry.register(
        "somebodys-value", ProtobufSerializer.registrySchema(OrderPlaced.getDescriptor()));
    assertThat(published(WireFormatPublisher::registeredOnly, somebodys)).isNotEmpty();
  }
}
