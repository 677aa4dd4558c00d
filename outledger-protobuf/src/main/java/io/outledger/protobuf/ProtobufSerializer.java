// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import io.outledger.event.PayloadFailures;
import io.outledger.event.PayloadSerializer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

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

  private ProtobufSerializer() {}

  /** Creates one. */
  public static ProtobufSerializer create() {
    return new ProtobufSerializer();
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
        () -> prototype.getParserForType().parseFrom(payload),
        e -> PayloadFailures.unreadable(payload, type, reason(e)));
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
