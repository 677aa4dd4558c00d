// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.Problems;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as Protocol Buffers and reads them again. Events are messages of classes that
 * {@code protoc} has generated for {@code protobuf-java}, not for its lite runtime.
 *
 * <p>A class needs nothing more than to be registered as a type. When its file changes, the files
 * by which payloads were written before are {@linkplain Builder#type given}: today's class must
 * read them. Nothing in a payload says by which file it was written, so nothing notices it later.
 * Fields that a class does not know are kept in the message that is read, so that passing it on
 * loses nothing.
 *
 * <p>Thread-safe.
 */
public final class ProtobufSerializer implements PayloadSerializer {

  /** The media type of the payloads. */
  public static final String CONTENT_TYPE = "application/protobuf";

  private static final Set<String> CONTENT_TYPES =
      Set.of(CONTENT_TYPE, "application/x-protobuf", "application/vnd.google.protobuf");

  private final Map<Class<?>, Message> prototypes = new ConcurrentHashMap<>();

  private final @Nullable FetchedSchemas<RegisteredFile> fetched;

  private ProtobufSerializer(@Nullable FetchedSchemas<RegisteredFile> fetched) {
    this.fetched = fetched;
  }

  /** Creates one for classes whose files have no older versions. */
  public static ProtobufSerializer create() {
    return builder().build();
  }

  /** Returns a builder of one that checks what older files have written. */
  public static Builder builder() {
    return new Builder();
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

  /** {@inheritDoc} Others name Protocol Buffers in two more ways. */
  @Override
  public Set<String> contentTypes() {
    return CONTENT_TYPES;
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
    Optional<RegisteredFile> file = WireFormat.schema(payload, prototype.getClass(), fetched);
    if (file.isEmpty()) {
      return 0;
    }
    MessagePath.Read read = MessagePath.read(payload, WireFormat.HEADER_BYTES);
    String wanted = prototype.getDescriptorForType().getName();
    Optional<FileDescriptorProto> descriptor = file.get().descriptor();
    if (descriptor.isPresent()) {
      Optional<String> name = read.path().nameIn(descriptor.get());
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

  /** Collects older files. Not thread-safe. */
  public static final class Builder {

    private final Map<Class<?>, List<FileDescriptorSet>> types = new LinkedHashMap<>();
    private final Problems problems = Problems.of("Protocol Buffers that cannot be used");
    private @Nullable SchemaSource source;

    private Builder() {}

    /**
     * Gives the files by which payloads of a class were written before, in the same version of the
     * type. Of other versions none is needed.
     *
     * @param type the class of the events, generated from today's file; matched exactly
     * @param older of each earlier release the file of the message and all that it imports, as
     *     {@code protoc --include_imports --descriptor_set_out=…} writes them. Today's class must
     *     read whatever they have written. They are looked at when this is built, and not kept
     */
    public Builder type(Class<?> type, FileDescriptorSet... older) {
      Require.nonNull("type", type);
      List<FileDescriptorSet> copy = new ArrayList<>();
      for (FileDescriptorSet before : Require.nonNull("older", older)) {
        copy.add(Require.nonNull("before", before));
      }
      if (types.putIfAbsent(type, copy) != null) {
        problems.add("older files of " + type.getName() + " are given twice; give all at once");
      }
      return this;
    }

    /**
     * Sets where the ids of payloads in the wire format of registries are asked for, as other
     * applications write them; the default refuses such payloads. Reading never waits for the
     * registry: a message whose id is not known yet is parked ({@code OUT-038}), the id asked for
     * beside, and tried again; an id that the registry does not know, or that is none of Protocol
     * Buffers, or does not answer while it answers for others, is {@code OUT-015}; while the
     * registry does not answer at all, that is an outage, {@code OUT-022}.
     *
     * @param value the registry
     * @param subjects whose ids are asked for when the serializer is built, such as {@code
     *     orders-value}, so that no message waits for them: of each the newest 100 versions, for
     *     half a minute in all. If the registry does not answer then, that is logged, and nothing
     *     fails
     */
    public Builder readFrom(SchemaRegistry value, String... subjects) {
      source = SchemaSource.of(value, subjects);
      return this;
    }

    /**
     * Checks the classes, and builds the serializer.
     *
     * @throws ConfigurationException {@code OUT-021} listing every class that does not read what an
     *     older file has written, with each difference, and every class that is not generated for
     *     protobuf-java
     */
    public ProtobufSerializer build() {
      types.forEach(
          (type, older) ->
              problems
                  .attempt(() -> Prototypes.of(type).getDescriptorForType())
                  .ifPresent(
                      today ->
                          older.forEach(
                              before -> problems.check(() -> Evolution.check(today, before)))));
      problems.refuse();
      return new ProtobufSerializer(source == null ? null : source.fetched(RegisteredFile.READER));
    }
  }
}
