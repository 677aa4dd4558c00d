// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.avro.shop.OrderPlaced;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.WireFormatPublisher;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Payloads in single-object encoding leave with the id of their schema. */
final class AvroWireFormatTest {

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final SchemaRegistry registry = SchemaRegistry.at(peer.uri());
  private final AvroSerializer serializer =
      AvroSerializer.builder().type(OrderPlaced.class).build();
  private final RecordingPublisher broker = new RecordingPublisher();
  private final List<Outcome> outcomes = new ArrayList<>();

  @AfterEach
  void close() {
    peer.close();
  }

  private void publish(byte[] payload) {
    WireFormatPublisher publisher =
        WireFormatPublisher.around(broker, registry, serializer.schemas());
    do { // the registry may not be that fast
      outcomes.clear();
      Message message = Message.to("orders", "order.placed").payload(payload).build();
      try (PublisherClient client =
          publisher.open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome))) {
        client.publish(1, 1, message);
      } catch (DestinationUnavailableException e) {
        outcomes.add(Outcome.unavailable(e.getMessage()));
      }
    } while (outcomes.get(0) instanceof Outcome.Unavailable);
  }

  @Test
  void aPayloadLeavesWithTheIdOfItsSchema() {
    peer.answer(ScriptedRegistry.says(200, "{\"id\":70000}"));
    byte[] payload = serializer.write(Orders.ORDER);
    publish(payload);
    publish("{}".getBytes(UTF_8));
    assertThat(broker.messages())
        .extracting(Message::payload)
        .containsExactly(Wire.of(70_000, payload), "{}".getBytes(UTF_8));
    assertThat(peer.requests())
        .singleElement()
        .asString()
        .startsWith("POST /subjects/orders-value/versions {\"schema\":\"{\\\"type\\\"");
  }

  @Test
  void aFingerprintThatIsNotKnownIsRejected() {
    byte[] unknown = serializer.write(Orders.ORDER);
    unknown[5]++;
    publish(unknown);
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it ->
                assertThat(it.reason())
                    .startsWith("its schema, with the fingerprint ")
                    .endsWith(", is none that this application knows"));
    assertThat(peer.requests()).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    List<ThrowingCallable> calls =
        List.of(
            () -> serializer.schemas().of(null),
            () -> AvroSerializer.registrySchema(null),
            () -> AvroSerializer.builder().readFrom(null),
            () -> AvroSerializer.builder().readFrom(registry, (String[]) null),
            () -> AvroSerializer.builder().readFrom(registry, (String) null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
