// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import static io.outledger.servers.ScriptedRegistry.says;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.protobuf.billing.Bill;
import io.outledger.protobuf.shop.Line;
import io.outledger.protobuf.shop.OrderPlaced;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.WireFormatPublisher;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.testing.RecordingPublisher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Payloads leave with the id of their file, and the place of their message in it. */
final class ProtobufWireFormatTest {

  private static final EventTypes TYPES =
      EventTypes.builder()
          .register(
              OrderPlaced.class,
              type ->
                  type.name("order.placed")
                      .formerly("order.created")
                      .version(2)
                      .topic("orders")
                      .key(OrderPlaced::getOrderId))
          .register(Line.class, type -> type.name("line").topic("lines").keyless())
          .register(Bill.class, type -> type.name("bill").topic("bills").keyless())
          .register(Bill.Paid.class, type -> type.name("bill.paid").topic("bills").keyless())
          .build();

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final SchemaRegistry registry = SchemaRegistry.at(peer.uri());
  private final ProtobufSerializer serializer = ProtobufSerializer.create();
  private final Events events = Events.builder().serializer(serializer).types(TYPES).build();
  private final RecordingPublisher broker = new RecordingPublisher();
  private final List<Outcome> outcomes = new ArrayList<>();

  @AfterEach
  void close() {
    peer.close();
  }

  private WireFormatPublisher publisher() {
    return WireFormatPublisher.around(broker, registry, serializer.schemas(TYPES));
  }

  private List<byte[]> published(Message... messages) {
    WireFormatPublisher publisher = publisher();
    do { // the registry may not be that fast
      broker.clear();
      outcomes.clear();
      publish(publisher, messages);
    } while (outcomes.stream().anyMatch(Outcome.Unavailable.class::isInstance));
    return broker.messages().stream().map(Message::payload).toList();
  }

  private void publish(WireFormatPublisher publisher, Message... messages) {
    try (PublisherClient client =
        publisher.open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome))) {
      for (Message message : messages) {
        client.publish(1, 1, message);
      }
    } catch (DestinationUnavailableException e) {
      outcomes.add(Outcome.unavailable(e.getMessage()));
    }
  }

  private static byte[] framed(byte[] event, int... path) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {0, 0, 1, 17, 112}); // 70,000
    for (int each : path) {
      bytes.write(each);
    }
    bytes.writeBytes(event);
    return bytes.toByteArray();
  }

  @Test
  void aPayloadLeavesWithTheIdAndThePathOfItsMessage() {
    peer.answer(says(200, "{\"id\":70000,\"version\":1}"));
    Line line = ProtobufSerializerTest.ORDER.getLines(0);
    Bill.Paid paid = Bill.Paid.newBuilder().setBy("card").build();
    List<byte[]> payloads =
        published(
            events.message(ProtobufSerializerTest.ORDER),
            events.message(line),
            events.message(paid),
            events.message(OrderPlaced.getDefaultInstance().toBuilder().setOrderId("o").build()));
    assertThat(payloads)
        .containsExactly(
            framed(ProtobufSerializerTest.ORDER.toByteArray(), 0),
            framed(line.toByteArray(), 2, 2), // the length and the number 1, as zigzag
            framed(paid.toByteArray(), 4, 0, 2), // the second one in the first one
            framed(new byte[] {10, 1, 'o'}, 0));
  }

  @Test
  void aFileIsRegisteredAsADescriptorAndWhatItImportsBeforeIt() throws IOException {
    peer.answer(says(200, "{\"id\":7,\"version\":1}"));
    published(events.message(Bill.getDefaultInstance()));
    assertThat(peer.requests())
        .extracting(request -> request.substring(0, request.indexOf(" {")))
        .containsExactly(
            "POST /subjects/shop.proto/versions",
            "POST /subjects/shop.proto",
            "POST /subjects/bills-value/versions");
    String last = peer.requests().get(2);
    JsonNode body = new JsonMapper().readTree(last.substring(last.indexOf('{')));
    assertThat(body.path("schemaType").asText()).isEqualTo("PROTOBUF");
    assertThat(body.path("references")).hasSize(1); // and not Google's
    assertThat(
            FileDescriptorProto.parseFrom(Base64.getDecoder().decode(body.path("schema").asText())))
        .isEqualTo(Bill.getDescriptor().getFile().toProto());
  }

  @Test
  void aFormerNameIsOfTheSameFile() {
    peer.answer(says(200, "{\"id\":70000}"));
    byte[] payload = ProtobufSerializerTest.ORDER.toByteArray();
    Message former =
        Message.to("orders", "order.created").version(2).key("o").payload(payload).build();
    assertThat(published(former)).containsExactly(framed(payload, 0));
  }

  @Test
  void whatHasNoSchemaLeavesAsItIs() {
    Message note = Message.to("orders", "note").payload("{}".getBytes(UTF_8)).build();
    Message gone = Message.to("orders", "order.placed").version(2).key("o").tombstone().build();
    Message framed =
        events.message(ProtobufSerializerTest.ORDER).copy().payload(new byte[6]).build();
    assertThat(published(note, gone, framed))
        .containsExactly(note.payload(), gone.payload(), framed.payload());
    assertThat(peer.requests()).isEmpty();
  }

  @Test
  void aVersionThatIsNotKnownHereIsRejected() {
    Message newer = events.message(ProtobufSerializerTest.ORDER).copy().version(3).build();
    assertThat(published(newer)).isEmpty();
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> assertThat(it.reason()).contains("knows no schema of version 3"));
  }

  @Test
  void aClassThatIsNotGeneratedIsRefusedAtTheStart() {
    EventTypes texts =
        EventTypes.builder()
            .register(String.class, type -> type.name("text").topic("texts").keyless())
            .build();
    assertThatThrownBy(() -> serializer.schemas(texts))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("events of java.lang.String cannot be Protocol Buffers");
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    List<ThrowingCallable> calls =
        List.of(
            () -> serializer.schemas(null),
            () -> serializer.schemas(TYPES).of(null),
            () -> ProtobufSerializer.registrySchema(null),
            () -> ProtobufSerializer.builder().readFrom(null),
            () -> ProtobufSerializer.builder().readFrom(registry, (String[]) null),
            () -> ProtobufSerializer.builder().readFrom(registry, (String) null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
