// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Problems;
import io.outledger.Require;
import io.outledger.event.PayloadFailures;
import io.outledger.event.PayloadSerializer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final PayloadSerializer json;
  private final Map<Class<?>, EventSchema> schemas;

  private JsonSchemaSerializer(PayloadSerializer json, Map<Class<?>, EventSchema> schemas) {
    this.json = json;
    this.schemas = Map.copyOf(schemas);
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
  public void check(Class<?> type) {
    json.check(type);
    if (!schemas.containsKey(Require.nonNull("type", type))) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "there is no JSON Schema for events of "
              + type.getName()
              + "; give one with schema("
              + type.getSimpleName()
              + ".class, …)");
    }
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
    return json.read(payload, type, unknownFields);
  }

  @Override
  public <T> T readExactly(byte[] payload, Class<T> type) {
    return json.readExactly(payload, type);
  }

  @Override
  public void checkTree(Class<?> tree) {
    json.checkTree(tree);
  }

  @Override
  public <T> Optional<byte[]> rewrite(
      byte[] payload, Class<T> tree, Function<? super T, ? extends @Nullable T> change) {
    return json.rewrite(payload, tree, change);
  }

  /** Collects the schemas. Not thread-safe. */
  public static final class Builder {

    private final PayloadSerializer json;
    private final Map<Class<?>, Given> given = new LinkedHashMap<>();
    private final Problems problems = Problems.of("JSON Schemas that cannot be used");

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
      problems.refuse();
      return new JsonSchemaSerializer(json, schemas);
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
