// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.PayloadSerializer;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.schemaregistry.PayloadSchemas;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaNotFetchedException;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.WireFormat;
import io.outledger.schemaregistry.WireFormatPublisher;
import io.outledger.testing.RecordingPublisher;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The contract of every serializer whose payloads are published, and read, in the wire format of
 * schema registries: with a real registry, which gives ids, knows schemas by them, and refuses what
 * is incompatible. An implementer names the registry, an event and its schemas.
 *
 * @param <S> the serializer
 */
public abstract class WireFormatContract<S extends PayloadSerializer> {

  private static final int NO_ID = 123_456;

  private final List<Outcome> outcomes = new ArrayList<>();

  /** For the implementer's test class. */
  protected WireFormatContract() {}

  /** Returns the address of Confluent's API of the registry. */
  protected abstract URI address();

  /** Has the registry compare the schemas of a subject with those before them. */
  protected abstract void requireBackwardCompatibility(String subject);

  /** Returns a serializer that reads by a registry, and knows the ids of these subjects at once. */
  protected abstract S serializer(SchemaRegistry registry, String... subjects);

  /** Returns what knows by which schemas the serializer's payloads were written. */
  protected abstract PayloadSchemas schemas(S serializer);

  /** Returns an event. */
  protected abstract Object event();

  /** Returns the message of that event, as an application appends it to a topic. */
  protected abstract Message message(S serializer, String topic);

  /** Returns the event's schema. */
  protected abstract RegistrySchema schema();

  /** Returns a schema of the same name, of which that one does not read everything. */
  protected abstract RegistrySchema incompatibleSchema();

  /** Returns the registry, for further tests. */
  protected final SchemaRegistry registry() {
    return SchemaRegistry.at(address()).answerMax(Duration.ofSeconds(30));
  }

  /** Returns what became of all that was published, for further tests. */
  protected final List<Outcome> outcomes() {
    return List.copyOf(outcomes);
  }

  /** Publishes a message in the wire format; returns its payload, empty if it was not taken. */
  protected final byte[] published(Message message) {
    return published(publisher -> publisher, message);
  }

  private byte[] published(UnaryOperator<WireFormatPublisher> choices, Message message) {
    RecordingPublisher broker = new RecordingPublisher();
    SchemaRegistry registry = registry();
    WireFormatPublisher publisher =
        choices.apply(WireFormatPublisher.around(broker, registry, schemas(serializer(registry))));
    Outcome outcome = outcome(publisher, message);
    while (outcome instanceof Outcome.Unavailable) { // its registry was not that fast
      outcome = outcome(publisher, message);
    }
    outcomes.add(outcome);
    return broker.messages().isEmpty() ? new byte[0] : broker.messages().get(0).payload();
  }

  private static Outcome outcome(WireFormatPublisher publisher, Message message) {
    List<Outcome> reported = new ArrayList<>();
    try (PublisherClient client =
        publisher.open(Duration.ofMinutes(1), (position, outcome) -> reported.add(outcome))) {
      client.publish(1, 1, message);
      return reported.get(0);
    } catch (DestinationUnavailableException e) {
      return Outcome.unavailable(e.getMessage());
    }
  }

  /**
   * Reads a payload, and asks again while its schema is being fetched.
   *
   * @return the event, or the failure
   */
  protected static Object eventually(PayloadSerializer reader, byte[] payload, Class<?> type) {
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

  private Message to(String topic) {
    return message(serializer(registry()), topic);
  }

  @Test
  final void whatIsPublishedIsReadByItsIdElsewhere() {
    byte[] payload = published(to("orders"));
    assertThat(outcomes).containsExactly(Outcome.PUBLISHED);
    assertThat(WireFormat.id(payload)).isEqualTo(registry().register("orders-value", schema()));

    S elsewhere = serializer(registry());
    assertThat(eventually(elsewhere, payload, event().getClass())).isEqualTo(event());
    S prepared = serializer(registry(), "orders-value");
    assertThat((Object) prepared.read(payload, event().getClass())).isEqualTo(event());
  }

  @Test
  final void anIdThatItDoesNotKnowIsAFailureOfTheMessage() {
    byte[] payload = published(to("ids")).clone();
    ByteBuffer.wrap(payload).putInt(1, NO_ID);
    assertThat(eventually(serializer(registry()), payload, event().getClass()))
        .isInstanceOfSatisfying(
            InvalidMessageException.class, e -> assertThat(e).hasMessageContaining("" + NO_ID));
  }

  @Test
  final void anIncompatibleSchemaIsRefusedWithItsWords() {
    registry().register("changing-value", incompatibleSchema());
    requireBackwardCompatibility("changing-value");
    assertThatThrownBy(() -> registry().register("changing-value", schema()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("refuses it: status 409");

    assertThat(published(to("changing"))).isEmpty();
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> assertThat(it.kind()).isEqualTo(Outcome.Rejected.Kind.TOPIC));
  }

  @Test
  final void whatIsNotRegisteredIsNotTakenWhereNothingMayBeRegistered() {
    assertThat(published(WireFormatPublisher::registeredOnly, to("nobodys"))).isEmpty();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Rejected.class);

    registry().register("somebodys-value", schema());
    assertThat(published(WireFormatPublisher::registeredOnly, to("somebodys"))).isNotEmpty();
  }
}
