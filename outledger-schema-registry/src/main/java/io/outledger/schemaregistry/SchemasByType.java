// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.event.EventType;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.MediaTypes;
import io.outledger.event.TypeVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Finds the schema of a payload by its message's type and version, for formats whose payloads do
 * not say by which schema they were written. For those who write serializers. Immutable and
 * thread-safe.
 */
public final class SchemasByType implements PayloadSchemas {

  private final Map<TypeVersion, WirePayload.Written> schemas;
  private final Set<String> contentTypes;

  private SchemasByType(Map<TypeVersion, WirePayload.Written> schemas, Set<String> contentTypes) {
    this.schemas = Map.copyOf(schemas);
    this.contentTypes = contentTypes;
  }

  /**
   * Makes one.
   *
   * @param types the registered types; of each, the version that is written is known, by its name
   *     and its former names
   * @param contentType the serializer's: a payload of it ({@link MediaTypes#isOneOf}), and of
   *     another type, was written by a schema that is not known here; any other one by none
   * @param written returns the schema of events of a class, and may refuse the class
   */
  public static SchemasByType of(
      EventTypes types, String contentType, Function<Class<?>, WirePayload.Written> written) {
    Require.nonNull("contentType", contentType);
    Require.nonNull("written", written);
    Map<TypeVersion, WirePayload.Written> schemas = new HashMap<>();
    for (EventType<?> type : Require.nonNull("types", types).all()) {
      WirePayload.Written today = written.apply(type.eventClass());
      Stream.concat(Stream.of(type.name()), type.formerNames().stream())
          .forEach(name -> schemas.put(new TypeVersion(name, type.version()), today));
    }
    return new SchemasByType(schemas, Set.of(contentType));
  }

  /** Returns one that knows other versions, too, which are read alone, and not written any more. */
  public SchemasByType and(Map<TypeVersion, WirePayload.Written> older) {
    Map<TypeVersion, WirePayload.Written> all = new HashMap<>(Require.nonNull("older", older));
    all.putAll(schemas);
    return new SchemasByType(all, contentTypes);
  }

  @Override
  public WirePayload of(Message message) {
    if (Require.nonNull("message", message).isTombstone() || WireFormat.isOne(message.payload())) {
      return WirePayload.AS_IT_IS;
    }
    WirePayload known = schemas.get(new TypeVersion(message.type(), message.version()));
    if (known != null) {
      return known;
    }
    return MediaTypes.isOneOf(contentTypes, message.headers().get(Events.CONTENT_TYPE))
        ? new WirePayload.Unknown(
            "this application knows no schema of version " + message.version() + " of its type")
        : WirePayload.AS_IT_IS;
  }
}
