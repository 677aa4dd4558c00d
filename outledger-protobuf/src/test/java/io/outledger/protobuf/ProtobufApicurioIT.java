// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Timestamp;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.contracts.WireFormatContract;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.protobuf.billing.Bill;
import io.outledger.protobuf.shop.Line;
import io.outledger.protobuf.shop.OrderPlaced;
import io.outledger.publish.Outcome;
import io.outledger.schemaregistry.PayloadSchemas;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.WireFormat;
import io.outledger.servers.ApicurioRegistry;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With Apicurio's registry, which also takes files with what they import. */
@Tag("long")
final class ProtobufApicurioIT extends WireFormatContract<ProtobufSerializer> {

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

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Override
  protected URI address() {
    return SERVER.uri();
  }

  @Override
  protected void requireBackwardCompatibility(String subject) {
    SERVER.compatibility(subject, "BACKWARD");
  }

  @Override
  protected ProtobufSerializer serializer(SchemaRegistry registry, String... subjects) {
    return ProtobufSerializer.builder().readFrom(registry, subjects).build();
  }

  @Override
  protected PayloadSchemas schemas(ProtobufSerializer serializer) {
    return serializer.schemas(TYPES);
  }

  @Override
  protected Object event() {
    return ProtobufSerializerTest.ORDER;
  }

  @Override
  protected Message message(ProtobufSerializer serializer, String topic) {
    return Message.to(topic, "order")
        .key("o-1")
        .payload(serializer.write(ProtobufSerializerTest.ORDER))
        .build();
  }

  @Override
  protected RegistrySchema schema() {
    return ProtobufSerializer.registrySchema(OrderPlaced.getDescriptor());
  }

  /** The file as it was when an amount was a text. */
  @Override
  protected RegistrySchema incompatibleSchema() {
    FileDescriptorProto.Builder file = OrderPlaced.getDescriptor().getFile().toProto().toBuilder();
    file.getMessageTypeBuilder(0).getFieldBuilder(1).setType(FieldDescriptorProto.Type.TYPE_STRING);
    try {
      FileDescriptor before = FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
      return ProtobufSerializer.registrySchema(before.getMessageTypes().get(0));
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFileWithImportsAndANestedMessageAreTaken() {
    ProtobufSerializer serializer = serializer(registry());
    Events events = Events.builder().serializer(serializer).types(TYPES).build();
    byte[] bill = published(events.message(BILL));
    Bill.Paid paid = Bill.Paid.newBuilder().setBy("card").build();
    byte[] nested = published(events.message(paid));
    assertThat(outcomes()).containsOnly(Outcome.PUBLISHED);
    assertThat(WireFormat.id(nested)).isEqualTo(WireFormat.id(bill)); // of one file
    assertThat(eventually(serializer, bill, Bill.class)).isEqualTo(BILL);
    assertThat(eventually(serializer, nested, Bill.Paid.class)).isEqualTo(paid);
    assertThat(eventually(serializer, nested, Line.class))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e).hasMessageContaining("by its schema it is Paid"));
  }
}
