// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.event.EventTypes;
import io.outledger.event.PayloadFailures;
import io.outledger.event.PayloadSerializer;
import io.outledger.schemaregistry.FetchedSchemas;
import io.outledger.schemaregistry.PayloadSchemas;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.SchemaSource;
import io.outledger.schemaregistry.SchemasByType;
import io.outledger.schemaregistry.WireFormat;
import io.outledger.schemaregistry.WirePayload;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as Protocol Buffers and reads them again. Events are messages of classes that
 * {@code protoc} has generated for {@code protobuf-java}, not for its lite runtime.
 *
 * <p>A class needs nothing more than to be registered as a type. Fields that a class does not know
 * are kept in the message that is read, so that passing it on loses nothing. Whether a changed file
 * still reads what was written before is not checked here: a linter of {@code .proto} files does
 * that.
 *
 * <p>Thread-safe.
 */
public final class ProtobufSerializer implements PayloadSerializer {

  /** The media type of the payloads. */
  public static final String CONTENT_TYPE = "application/protobuf";

  private final Map<Class<?>, Message> prototypes = new ConcurrentHashMap<>();

  private final @Nullable FetchedSchemas<RegisteredFile> fetched;

  private ProtobufSerializer(@Nullable FetchedSchemas<RegisteredFile> fetched) {
    this.fetched = fetched;
  }

  /** Creates one that reads what it has written itself. */
  public static ProtobufSerializer create() {
    return new ProtobufSerializer(null);
  }

  /**
   * Creates one that reads payloads in the wire format of registries, too, as other applications
   * write them. Reading never waits for the registry: a message whose id is not known yet is parked
   * ({@code OUT-038}), the id asked for beside, and tried again; an id that the registry does not
   * know, or that is none of Protocol Buffers, or does not answer while it answers for others, is
   * {@code OUT-015}; while the registry does not answer at all, that is an outage, {@code OUT-022}.
   *
   * @param registry where ids are asked for
   * @param subjects whose ids are asked for at once, such as {@code orders-value}, so that no
   *     message waits for them: of each the newest 100 versions, for half a minute in all. If the
   *     registry does not answer then, that is logged, and nothing fails
   */
  public static ProtobufSerializer readingFrom(SchemaRegistry registry, String... subjects) {
    return new ProtobufSerializer(
        SchemaSource.of(registry, subjects).fetched(RegisteredFile.READER));
  }

  /**
   * Returns what knows by which files payloads were written, for a {@code WireFormatPublisher}.
   *
   * @param types the types of the application, such as {@code outledger.events().types()}; a
   *     message's type and version tell its class
   * @throws ConfigurationException {@code OUT-021} if a class is not generated for protobuf-java
   */
  public PayloadSchemas schemas(EventTypes types) {
    return SchemasByType.of(
        types,
        CONTENT_TYPE,
        type -> {
          Descriptor message = prototype(type).getDescriptorForType();
          return new WirePayload.Written(
              registrySchema(message), MessagePath.of(message).written(), 0);
        });
  }

  /**
   * Returns the file of a message as registries know it, for example to register it before a
   * deployment: as a descriptor, in Base64, with the files that it imports.
   *
   * @param message such as {@code OrderPlaced.getDescriptor()}
   */
  public static RegistrySchema registrySchema(Descriptor message) {
    return RegisteredFile.of(Require.nonNull("message", message));
  }

  @Override
  public String contentType() {
    return CONTENT_TYPE;
  }

  @Override
  public void check(Class<?> type) {
    prototype(Require.nonNull("type", type));
  }

  private Message prototype(Class<?> type) {
    Message known = prototypes.get(type);
    return known != null ? known : prototypes.computeIfAbsent(type, Prototypes::of);
  }

  @Override
  public byte[] write(Object event) {
    Require.nonNull("event", event);
    if (!(event instanceof Message message)) {
      throw unwritable(event, "it is no message of protobuf-java");
    }
    if (!message.isInitialized()) {
      throw unwritable(event, "it lacks " + message.getInitializationErrorString());
    }
    // Without the cause, which may quote the event.
    return PayloadFailures.called(
        message::toByteArray, e -> unwritable(event, e.getClass().getName()));
  }

  private static InvalidMessageException unwritable(Object event, String why) {
    return PayloadFailures.unwritable(event, "in Protocol Buffers", why, null);
  }

  /**
   * {@inheritDoc} What is told are the numbers of fields, since their names are not in the payload;
   * the message that is returned contains them, as unknown ones.
   */
  @Override
  public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
    Require.nonNull("payload", payload);
    Require.nonNull("type", type);
    Require.nonNull("unknownFields", unknownFields);
    Message message = parsed(payload, type);
    UnknownNumbers.of(message).forEach(unknownFields);
    return type.cast(message);
  }

  /** {@inheritDoc} No field can be lacking: one that is not in the payload has its default. */
  @Override
  public <T> T readExactly(byte[] payload, Class<T> type) {
    Require.nonNull("payload", payload);
    Require.nonNull("type", type);
    Message message = parsed(payload, type);
    List<String> unknown = UnknownNumbers.of(message);
    if (!unknown.isEmpty()) {
      throw PayloadFailures.unreadable(
          payload, type, "it has no field with the number " + unknown.get(0));
    }
    return type.cast(message);
  }

  private Message parsed(byte[] payload, Class<?> type) {
    Message prototype = readable(payload, type);
    // Without what was thrown as a cause, which has more of the payload.
    return PayloadFailures.called(
        () -> {
          int from = begin(payload, prototype);
          return prototype.getParserForType().parseFrom(payload, from, payload.length - from);
        },
        e -> PayloadFailures.unreadable(payload, type, reason(e)));
  }

  /** Returns where the data begins. No payload of a message begins with a zero. */
  private int begin(byte[] payload, Message prototype) throws IOException {
    if (!WireFormat.isOne(payload)) {
      return 0;
    }
    if (fetched == null) {
      throw PayloadFailures.unreadable(
          payload,
          prototype.getClass(),
          "it is in the wire format of a schema registry; name the registry with readingFrom(…)");
    }
    RegisteredFile file = fetched.of(WireFormat.id(payload));
    MessagePath.Read read = MessagePath.read(payload, WireFormat.HEADER_BYTES);
    String wanted = prototype.getDescriptorForType().getName();
    if (file.descriptor().isPresent()) {
      Optional<String> name = read.path().nameIn(file.descriptor().get());
      if (!name.equals(Optional.of(wanted))) {
        throw PayloadFailures.unreadable(
            payload,
            prototype.getClass(),
            "by its schema it is " + name.map(Printable::value).orElse("no message of the file"));
      }
    }
    return read.end();
  }

  private Message readable(byte[] payload, Class<?> type) {
    try {
      return prototype(type);
    } catch (ConfigurationException e) {
      throw PayloadFailures.unreadable(payload, type, String.valueOf(e.getMessage()));
    }
  }

  private static String reason(Throwable failure) {
    return failure instanceof InvalidProtocolBufferException invalid
        ? String.valueOf(invalid.getMessage()) // about the encoding, or it names fields
        : failure.getClass().getName();
  }
}
