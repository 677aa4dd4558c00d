// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.function.BiFunction;

/**
 * Publishes payloads of Avro, Protocol Buffers or JSON Schema in the wire format of schema
 * registries, through another publisher: a zero, the id of the schema in four bytes, and the data.
 * In the ledger they stay as the serializer has written them, so appending never asks the registry.
 *
 * <p>The relay asks it, once for each schema and subject: it registers the schema, unless only what
 * is registered may be {@linkplain #registeredOnly() looked up}. It asks beside, so other routes go
 * on. While the registry has not answered, for more than a moment, that is an outage of the route:
 * no attempt is counted, and the route goes on once the answer is there. Schemas whose ids are
 * known need no registry. A schema that the registry refuses is a fault of its topic: the topic's
 * messages are kept back, and one at a time is tried.
 *
 * <p>Payloads without a schema are published as they are. A payload of a schema that this
 * application does not know, since a newer one has appended it, is rejected and tried again.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class WireFormatPublisher implements Publisher {

  private final Publisher publisher;
  private final SchemaRegistry registry;
  private final PayloadSchemas schemas;
  private final BiFunction<Message, RegistrySchema, String> subjects;
  private final boolean isRegistering;
  private final SchemaIds ids;

  private WireFormatPublisher(
      Publisher publisher,
      SchemaRegistry registry,
      PayloadSchemas schemas,
      BiFunction<Message, RegistrySchema, String> subjects,
      boolean isRegistering) {
    this.publisher = publisher;
    this.registry = registry;
    this.schemas = schemas;
    this.subjects = subjects;
    this.isRegistering = isRegistering;
    this.ids = new SchemaIds(registry, isRegistering);
  }

  /**
   * Makes one. Nothing is asked or opened yet.
   *
   * @param publisher publishes the messages
   * @param registry gives the ids
   * @param schemas knows by which schemas the application appends: its {@code AvroSerializer}, or
   *     what {@code schemas(…)} of its {@code ProtobufSerializer} or {@code JsonSchemaSerializer}
   *     returns
   */
  public static WireFormatPublisher around(
      Publisher publisher, SchemaRegistry registry, PayloadSchemas schemas) {
    return new WireFormatPublisher(
        Require.nonNull("publisher", publisher),
        Require.nonNull("registry", registry),
        Require.nonNull("schemas", schemas),
        (message, schema) -> message.topic() + "-value",
        true);
  }

  /**
   * Returns one that names subjects otherwise, for example by the schema's name, or where another
   * name of a topic is published.
   *
   * @param value from a message and its schema to the subject; thread-safe, always the same answer.
   *     The default is the message's topic with {@code -value} behind it. If it throws or returns
   *     null, the message is rejected
   */
  public WireFormatPublisher subjects(BiFunction<Message, RegistrySchema, String> value) {
    return new WireFormatPublisher(
        publisher, registry, schemas, Require.nonNull("subjects", value), isRegistering);
  }

  /** Returns one that registers nothing: a schema that the registry does not have is refused. */
  public WireFormatPublisher registeredOnly() {
    return new WireFormatPublisher(publisher, registry, schemas, subjects, false);
  }

  @Override
  public KeyOrder keyOrder() {
    return publisher.keyOrder();
  }

  @Override
  public boolean allowsSeveral() {
    return publisher.allowsSeveral();
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.outledger.publish.DestinationUnavailableException if the registry has not answered
   *     for what the client before could not get; it is asked for that beside
   */
  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    ids.askForMissed();
    return new WireFormatClient(
        publisher.open(deliveryTimeMax, outcomes),
        outcomes,
        new WireFormatWriter(schemas, subjects, ids));
  }

  /** Names the publisher and the registry's host. */
  @Override
  public String toString() {
    return "WireFormatPublisher[" + publisher + ", " + registry + "]";
  }
}
