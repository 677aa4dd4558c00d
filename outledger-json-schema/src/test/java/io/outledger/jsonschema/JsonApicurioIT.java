// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.jsonschema.JsonWireFormatTest.Placed;
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

/** A real registry gives ids to JSON Schemas, and refuses what is incompatible. */
@Tag("long")
final class JsonApicurioIT {

  private static final ApicurioRegistry SERVER = ApicurioRegistry.start();

  private final SchemaRegistry registry =
      SchemaRegistry.at(SERVER.uri()).answerMax(Duration.ofSeconds(30));
  private final JsonSchemaSerializer serializer =
      JsonWireFormatTest.with().readFrom(registry).build();
  private final RegistrySchema schema = serializer.registrySchema(Placed.class);
  private final List<Outcome> outcomes = new ArrayList<>();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private byte[] published(UnaryOperator<WireFormatPublisher> choices, String topic) {
    RecordingPublisher broker = new RecordingPublisher();
    WireFormatPublisher publisher =
        choices.apply(
            WireFormatPublisher.around(
                broker, registry, serializer.schemas(JsonWireFormatTest.TYPES)));
    try (PublisherClient client =
        publisher.open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome))) {
      client.publish(
          1,
          1,
          Message.to(topic, "order.placed")
              .version(2)
              .key("o-1")
              .payload(serializer.write(JsonWireFormatTest.PLACED))
              .build());
    }
    return broker.messages().isEmpty() ? new byte[0] : broker.messages().get(0).payload();
  }

  private static Object eventually(JsonSchemaSerializer reader, byte[] payload) {
    while (true) {
      try {
        return reader.read(payload, Placed.class);
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      } catch (OutledgerException e) {
        return e;
      }
    }
  }

  @Test
  void whatIsPublishedIsReadByItsIdElsewhere() {
    byte[] payload = published(it -> it, "orders");
    assertThat(outcomes).containsExactly(Outcome.PUBLISHED);
    assertThat(WireFormat.id(payload)).isEqualTo(registry.register("orders-value", schema));
    assertThat(eventually(serializer, payload)).isEqualTo(JsonWireFormatTest.PLACED);
    JsonSchemaSerializer prepared =
        JsonWireFormatTest.with().readFrom(registry, "orders-value").build();
    assertThat(prepared.read(payload, Placed.class)).isEqualTo(JsonWireFormatTest.PLACED);
  }

  @Test
  void anIdThatItDoesNotKnowIsAFailureOfTheMessage() {
    assertThat(eventually(serializer, new byte[] {0, 0, 1, -30, 64, '{', '}'})) // 123,456
        .isInstanceOfSatisfying(
            InvalidMessageException.class, e -> assertThat(e).hasMessageContaining("123456"));
  }

  @Test
  void anIncompatibleSchemaIsRefusedWithItsWords() {
    RegistrySchema before =
        RegistrySchema.of(
            RegistrySchema.Type.JSON, "OrderPlaced", schema.text().replace("integer", "string"));
    registry.register("changing-value", before);
    SERVER.compatibility("changing-value", "BACKWARD");
    assertThatThrownBy(() -> registry.register("changing-value", schema))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("refuses it: status 409");
    assertThat(published(it -> it, "changing")).isEmpty();
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> assertThat(it.kind()).isEqualTo(Outcome.Rejected.Kind.TOPIC));
  }

  @Test
  void whatIsNotRegisteredIsNotTakenWhereNothingMayBeRegistered() {
    assertThat(published(WireFormatPublisher::registeredOnly, "nobodys")).isEmpty();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Rejected.class);
    registry.register("somebodys-value", schema);
    assertThat(published(WireFormatPublisher::registeredOnly, "somebodys")).isNotEmpty();
  }
}
