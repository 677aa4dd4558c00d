// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.avro.shop.OrderPlaced;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
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

/** A real registry gives ids, knows schemas by them, and refuses what is incompatible. */
@Tag("long")
final class ApicurioIT {

  private static final ApicurioRegistry SERVER = ApicurioRegistry.start();

  private final SchemaRegistry registry =
      SchemaRegistry.at(SERVER.uri()).answerMax(Duration.ofSeconds(30));
  private final AvroSerializer serializer =
      AvroSerializer.builder().type(OrderPlaced.class, Orders.OLDER).readFrom(registry).build();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private byte[] published(
      UnaryOperator<WireFormatPublisher> choices, String topic, List<Outcome> outcomes) {
    RecordingPublisher broker = new RecordingPublisher();
    WireFormatPublisher publisher =
        choices.apply(WireFormatPublisher.around(broker, registry, serializer.schemas()));
    try (PublisherClient client =
        publisher.open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome))) {
      client.publish(
          1,
          1,
          Message.to(topic, "order.placed")
              .key("o-1")
              .payload(serializer.write(Orders.ORDER))
              .build());
    }
    return broker.messages().isEmpty() ? new byte[0] : broker.messages().get(0).payload();
  }

  @Test
  void whatIsPublishedIsReadByItsIdElsewhere() {
    List<Outcome> outcomes = new ArrayList<>();
    byte[] payload = published(it -> it, "orders", outcomes);
    assertThat(outcomes).containsExactly(Outcome.PUBLISHED);
    assertThat(WireFormat.id(payload))
        .isEqualTo(
            registry.register(
                "orders-value", AvroSerializer.registrySchema(OrderPlaced.getClassSchema())));

    AvroSerializer elsewhere = AvroSerializer.builder().readFrom(registry).build();
    assertThat(eventually(elsewhere, payload)).isEqualTo(Orders.ORDER);
    AvroSerializer prepared = AvroSerializer.builder().readFrom(registry, "orders-value").build();
    assertThat(prepared.read(payload, OrderPlaced.class)).isEqualTo(Orders.ORDER);
  }

  private static Object eventually(AvroSerializer reader, byte[] payload) {
    while (true) {
      try {
        return reader.read(payload, OrderPlaced.class);
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      } catch (OutledgerException e) {
        return e;
      }
    }
  }

  @Test
  void anIdThatItDoesNotKnowIsAFailureOfTheMessage() {
    byte[] payload = Wire.of(123_456, serializer.write(Orders.ORDER));
    assertThat(eventually(serializer, payload))
        .isInstanceOfSatisfying(
            InvalidMessageException.class, e -> assertThat(e).hasMessageContaining("123456"));
  }

  @Test
  void anIncompatibleSchemaIsRefusedWithItsWords() {
    registry.register("changing-value", AvroSerializer.registrySchema(Orders.FIRST));
    SERVER.compatibility("changing-value", "BACKWARD");
    assertThatThrownBy(
            () ->
                registry.register(
                    "changing-value", AvroSerializer.registrySchema(OrderPlaced.getClassSchema())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("refuses it: status 409");

    List<Outcome> outcomes = new ArrayList<>();
    assertThat(published(it -> it, "changing", outcomes)).isEmpty();
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> assertThat(it.kind()).isEqualTo(Outcome.Rejected.Kind.TOPIC));
  }

  @Test
  void whatIsNotRegisteredIsNotTakenWhereNothingMayBeRegistered() {
    List<Outcome> outcomes = new ArrayList<>();
    assertThat(published(WireFormatPublisher::registeredOnly, "nobodys", outcomes)).isEmpty();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Rejected.class);

    registry.register(
        "somebodys-value", AvroSerializer.registrySchema(OrderPlaced.getClassSchema()));
    assertThat(published(WireFormatPublisher::registeredOnly, "somebodys", new ArrayList<>()))
        .isNotEmpty();
  }
}
