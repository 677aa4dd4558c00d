// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Problems;
import io.outledger.Require;
import io.outledger.event.EventTypes;
import io.outledger.event.PayloadFailures;
import io.outledger.event.PayloadSerializer;
import io.outledger.event.TypeVersion;
import io.outledger.schemaregistry.FetchedSchemas;
import io.outledger.schemaregistry.PayloadSchemas;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.SchemaSource;
import io.outledger.schemaregistry.SchemasByType;
import io.outledger.schemaregistry.WireFormat;
import io.outledger.schemaregistry.WirePayload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has another serializer write and read JSON, and refuses to write a payload that does not fit the
 * JSON Schema of its event's class: the append fails, and names the place. Payloads are not checked
 * when they are read, so that older ones are: the serializer of the reader says what it takes.
 *
 * <p>Schemas are checked when types are registered: each class needs one, it must be a schema, and
 * it must accept what the older ones accept that are given beside it. No schema is ever fetched: a
 * {@code $ref} must lead to a place in the same schema.
 *
 * <p>Thread-safe.
 */
public final class JsonSchemaSerializer implements PayloadSerializer {

  private static final byte[] NOTHING = {};

  private final PayloadSerializer json;
  private final Map<Class<?>, EventSchema> schemas;
  private final Map<TypeVersion, EventSchema> olderVersions;
  private final @Nullable FetchedSchemas<String> fetched;

  private JsonSchemaSerializer(
      PayloadSerializer json,
      Map<Class<?>, EventSchema> schemas,
      Map<TypeVersion, EventSchema> olderVersions,
      @Nullable FetchedSchemas<String> fetched) {
    this.json = json;
    this.schemas = Map.copyOf(schemas);
    this.olderVersions = Map.copyOf(olderVersions);
    this.fetched = fetched;
  }

  /**
   * Starts one around a serializer that writes JSON, such as {@code JacksonSerializer.create()}.
   *
   * @param json writes and reads the payloads
   */
  public static Builder around(PayloadSerializer json) {
    return new Builder(Require.nonNull("json", json));
  }

  @Override
  public String contentType() {
    return json.contentType();
  }

  @Override
  public Set<String> contentTypes() {
    return json.contentTypes();
  }

  @Override
  public void check(Class<?> type) {
    json.check(type);
    schema(type);
  }

  private EventSchema schema(Class<?> type) {
    EventSchema schema = schemas.get(Require.nonNull("type", type));
    if (schema == null) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "there is no JSON Schema for events of "
              + type.getName()
              + "; give one with schema("
              + type.getSimpleName()
              + ".class, …)");
    }
    return schema;
  }

  /**
   * Returns what knows by which schemas payloads were written, for a {@code WireFormatPublisher}.
   *
   * @param types the types of the application, such as {@code outledger.events().types()}; a
   *     message's type and version tell its schema
   * @throws ConfigurationException {@code OUT-021} if there is no schema for a class
   */
  public PayloadSchemas schemas(EventTypes types) {
    Map<TypeVersion, WirePayload.Written> older = new HashMap<>();
    olderVersions.forEach((version, schema) -> older.put(version, written(schema)));
    return SchemasByType.of(types, contentType(), type -> written(schema(type))).and(older);
  }

  private static WirePayload.Written written(EventSchema schema) {
    return new WirePayload.Written(schema.registered(), NOTHING, 0);
  }

  /**
   * Returns the schema of an event's class as registries know it, for example to register it before
   * a deployment. Its name is the schema's title, or else the class's name.
   *
   * @throws ConfigurationException {@code OUT-021} if there is none for the class
   */
  public RegistrySchema registrySchema(Class<?> type) {
    return schema(type).registered();
  }

  @Override
  public byte[] write(Object event) {
    byte[] payload = json.write(event);
    EventSchema schema = schemas.get(event.getClass());
    if (schema == null) {
      throw new InvalidMessageException(
          ErrorCode.UNREADABLE_PAYLOAD,
          "there is no JSON Schema for events of " + event.getClass().getName());
    }
    Optional<String> place =
        PayloadFailures.called(
            () -> schema.misfit(payload),
            // What was thrown may quote the payload.
            e -> misfit(event, "it cannot be checked: " + e.getClass().getSimpleName()));
    if (place.isPresent()) {
      throw misfit(event, place.get());
    }
    return payload;
  }

  private static InvalidMessageException misfit(Object event, String why) {
    return new InvalidMessageException(
        ErrorCode.UNREADABLE_PAYLOAD,
        "an event of " + event.getClass().getName() + " does not fit its JSON Schema: " + why);
  }

  @Override
  public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
    return json.read(data(payload, type), type, unknownFields);
  }

  @Override
  public <T> T readExactly(byte[] payload, Class<T> type) {
    return json.readExactly(data(payload, type), type);
  }

  /** Returns the JSON alone. No JSON begins with a zero. */
  private byte[] data(byte[] payload, Class<?> type) {
    return WireFormat.schema(payload, type, fetched).isEmpty()
        ? payload
        : Arrays.copyOfRange(payload, WireFormat.HEADER_BYTES, payload.length);
  }

  @Override
  public void checkTree(Class<?> tree) {
    json.checkTree(tree);
  }

  @Override
  public <T> Optional<byte[]> rewrite(
      byte[] payload, Class<T> tree, Function<? super T, ? extends @Nullable T> change) {
    return json.rewrite(data(payload, tree), tree, change);
  }

  /** Collects the schemas. Not thread-safe. */
  public static final class Builder {

    private final PayloadSerializer json;
    private final Map<Class<?>, Given> given = new LinkedHashMap<>();
    private final Map<TypeVersion, String> olderVersions = new LinkedHashMap<>();
    private final Problems problems = Problems.of("JSON Schemas that cannot be used");
    private @Nullable SchemaSource source;

    private Builder(PayloadSerializer json) {
      this.json = json;
    }

    private record Given(String schema, List<String> older) {}

    /**
     * Gives the schema of an event's class.
     *
     * @param type the class of the events, matched exactly
     * @param schema the schema, as JSON; of draft 2020-12 unless its {@code $schema} says another
     * @param older schemas by which payloads of the same version were written before: what they
     *     accept, the schema must accept. Of other versions none is needed: an upcast reads these
     */
    public Builder schema(Class<?> type, String schema, String... older) {
      Require.nonNull("type", type);
      Require.nonNull("schema", schema);
      for (String before : Require.nonNull("older", older)) {
        Require.nonNull("before", before);
      }
      if (given.putIfAbsent(type, new Given(schema, List.of(older))) != null) {
        problems.add("two schemas are given for " + type.getName() + "; give one");
      }
      return this;
    }

    /**
     * Gives the schema of an older version of a type, by which messages were written that are still
     * to be published. It is needed for the wire format of registries alone.
     *
     * @param type the type's name, such as {@code order.placed}
     * @param version the version, 1 or more
     * @param schema the schema, as JSON
     */
    public Builder olderVersion(String type, int version, String schema) {
      TypeVersion older = new TypeVersion(Require.nonNull("type", type), version);
      if (olderVersions.putIfAbsent(older, Require.nonNull("schema", schema)) != null) {
        problems.add("two schemas are given for " + older + "; give one");
      }
      return this;
    }

    /**
     * Sets where the ids of payloads in the wire format of registries are asked for, as other
     * applications write them; the default refuses such payloads. Reading never waits for the
     * registry: a message whose id is not known yet is parked ({@code OUT-038}), the id asked for
     * beside, and tried again; an id that the registry does not know, or that is none of JSON
     * Schema, or does not answer while it answers for others, is {@code OUT-015}; while the
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
     * Checks the schemas, and builds the serializer.
     *
     * @throws ConfigurationException {@code OUT-021} listing every schema that is none, or does not
     *     accept what an older one accepts, with each difference
     */
    public JsonSchemaSerializer build() {
      Map<Class<?>, EventSchema> schemas = new LinkedHashMap<>();
      given.forEach(
          (type, each) ->
              problems.attempt(() -> checked(type, each)).ifPresent(it -> schemas.put(type, it)));
      Map<TypeVersion, EventSchema> older = new LinkedHashMap<>();
      olderVersions.forEach(
          (version, text) ->
              problems
                  .attempt(() -> EventSchema.of(version.toString(), text))
                  .ifPresent(it -> older.put(version, it)));
      problems.refuse();
      return new JsonSchemaSerializer(
          json, schemas, older, source == null ? null : source.fetched(new TextReader()));
    }

    private static EventSchema checked(Class<?> type, Given given) {
      EventSchema schema = EventSchema.of(type.getName(), given.schema());
      List<String> differences = new ArrayList<>();
      for (String older : given.older()) {
        EventSchema before = EventSchema.of("an older one of " + type.getName(), older);
        differences.addAll(Backward.differences(before.tree(), schema.tree()));
      }
      if (!differences.isEmpty()) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "the schema of "
                + type.getName()
                + " does not accept all that an older one accepts, or nobody can tell: "
                + String.join("; ", differences)
                + ". Change it, or register a new version of the type");
      }
      return schema;
    }
  }
}
