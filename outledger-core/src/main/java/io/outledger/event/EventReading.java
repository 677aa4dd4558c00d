// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.UnreadablePayloadException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads payloads as the types that are registered: finds the type, brings an older payload to its
 * version, and has the serializer read it. Thread-safe.
 */
final class EventReading {

  private final EventTypes types;
  private final Function<String, PayloadSerializer> serializers;

  EventReading(EventTypes types, Function<String, PayloadSerializer> serializers) {
    this.types = types;
    this.serializers = serializers;
  }

  /**
   * An event that was read.
   *
   * @param type the type as which it was read
   * @param event the event
   */
  record Read(EventType<?> type, Object event) {}

  /**
   * Reads a payload.
   *
   * @param read reads a payload of a type's own version as its class
   * @throws UnreadablePayloadException {@code OUT-011} if no type is registered, {@code OUT-015} if
   *     the payload cannot be read or is of another media type, or an upcast failed
   */
  Read read(StoredPayload payload, BiFunction<PayloadSerializer, Payload, Object> read) {
    try {
      return found(payload, read);
    } catch (UnreadablePayloadException e) {
      throw e;
    } catch (InvalidMessageException e) {
      throw new UnreadablePayloadException(e); // whatever its code is: it was met while reading
    }
  }

  private Read found(StoredPayload payload, BiFunction<PayloadSerializer, Payload, Object> read) {
    TypeVersion name = payload.name();
    List<ReadAs> ways = types.readings(name);
    if (ways.isEmpty()) {
      throw new UnreadablePayloadException(
          ErrorCode.UNREGISTERED_TYPE,
          "no class is registered for the type " + name + "; register one to read it");
    }
    PayloadSerializer reader = serializers.apply(name.name());
    MediaTypes.require(reader, name, payload.mediaType());
    @Nullable Payload found = null;
    for (ReadAs way : ways) {
      Optional<byte[]> current = way.current(reader, payload.bytes());
      if (current.isPresent()) {
        if (found != null) {
          throw unclear(name, "more than one", ways);
        }
        found = new Payload(way.type(), current.get());
      }
    }
    if (found == null) {
      throw unclear(name, "none", ways);
    }
    return new Read(found.type(), read.apply(reader, found));
  }

  /**
   * A payload of a type's own version.
   *
   * @param type its type
   * @param bytes the payload
   */
  record Payload(EventType<?> type, @SuppressWarnings("ArrayRecordComponent") byte[] bytes) {}

  private static UnreadablePayloadException unclear(
      TypeVersion name, String which, List<ReadAs> ways) {
    return new UnreadablePayloadException(
        ErrorCode.UNREADABLE_PAYLOAD,
        "a payload of "
            + name
            + " is of "
            + which
            + " of the types that it was split into: "
            + ways.stream()
                .map(way -> way.type().eventClass().getName())
                .collect(Collectors.joining(", "))
            + "; exactly one splitFrom(…) must take it");
  }
}
