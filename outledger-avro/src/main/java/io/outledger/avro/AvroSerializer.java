// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Problems;
import io.outledger.Require;
import io.outledger.event.PayloadFailures;
import io.outledger.event.PayloadSerializer;
import io.outledger.schemaregistry.FetchedSchemas;
import io.outledger.schemaregistry.PayloadSchemas;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.SchemaSource;
import io.outledger.schemaregistry.WireFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as Avro, in its single-object encoding, and reads them again. The payload contains
 * the fingerprint of the schema by which it was written, so that each is read by the right one.
 *
 * <p>Events are of classes that were generated from a schema. A class needs nothing more than to be
 * registered as a type; its schema is checked then. When it changes, the schema by which payloads
 * were written before is {@linkplain Builder#type given}: today's must read them, by Avro's rules
 * for backward compatibility. {@link GenericRecord}s need their schemas to be {@linkplain
 * Builder#records given}.
 *
 * <p>A payload with the fingerprint of no schema that was given cannot be read: {@code OUT-015},
 * which parks the message. No schema and no class is ever chosen by the data alone.
 *
 * <p>A fingerprint shows names, their order and types, and neither logical types nor defaults. So a
 * payload whose schema differs from today's in a logical type alone, such as the scale of a
 * decimal, is read as one of today's, with a wrong value, unless the older schema is given: then it
 * is refused when the serializer is built. Make such a change in a new version of the type.
 *
 * <p>Thread-safe.
 */
public final class AvroSerializer implements PayloadSerializer {

  /** The media type of the payloads. */
  public static final String CONTENT_TYPE = "application/avro";

  private static final Set<String> CONTENT_TYPES = Set.of(CONTENT_TYPE, "avro/binary");

  private final Map<Class<?>, RecordSchemas> classes;
  private final GenericSchemas generic;
  private final @Nullable FetchedSchemas<Schema> fetched;
  private final Map<Schema, RecordWriter> writers = new ConcurrentHashMap<>();

  private AvroSerializer(
      Map<Class<?>, RecordSchemas> classes,
      GenericSchemas generic,
      @Nullable FetchedSchemas<Schema> fetched) {
    this.classes = new ConcurrentHashMap<>(classes);
    this.generic = generic;
    this.fetched = fetched;
  }

  /** Creates one for classes whose schemas have no older versions. */
  public static AvroSerializer create() {
    return builder().build();
  }

  /** Returns a builder of one that reads what older schemas have written. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public String contentType() {
    return CONTENT_TYPE;
  }

  /** {@inheritDoc} Others name Avro in one more way. */
  @Override
  public Set<String> contentTypes() {
    return CONTENT_TYPES;
  }

  /** Of classes without a schema, only {@code GenericData.Record} is accepted, where it has one. */
  @Override
  public void check(Class<?> type) {
    Require.nonNull("type", type);
    if (!isGeneric(type)) {
      schemasOf(type);
    } else if (generic.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "there is no schema for events of " + type.getName() + "; give one with records(…)");
    }
  }

  @Override
  public byte[] write(Object event) {
    Require.nonNull("event", event);
    if (event instanceof SpecificRecord) {
      return writableAs(event).writer().write(event);
    }
    if (!(event instanceof GenericRecord record)) {
      throw unwritable(event, "it is no Avro record");
    }
    RecordWriter writer = writer(record);
    if (!generic.isToday(writer.fingerprint())) {
      throw unwritable(
          event,
          "its schema "
              + record.getSchema().getFullName()
              + " was not given, or as an older one alone; give it with records(…)");
    }
    return writer.write(record);
  }

  private static InvalidMessageException unwritable(Object event, String why) {
    return PayloadFailures.unwritable(event, "as Avro", why, null);
  }

  private RecordSchemas writableAs(Object event) {
    try {
      return schemasOf(event.getClass());
    } catch (ConfigurationException e) {
      throw unwritable(event, String.valueOf(e.getMessage()));
    }
  }

  private RecordWriter writer(GenericRecord record) {
    Schema schema = record.getSchema();
    RecordWriter known = writers.get(schema);
    return known != null
        ? known
        : writers.computeIfAbsent(schema, each -> RecordWriter.of(generic.model(), each));
  }

  /** {@inheritDoc} What is told are fields that the schema of the payload has, and today's not. */
  @Override
  public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
    Require.nonNull("payload", payload);
    Require.nonNull("type", type);
    Require.nonNull("unknownFields", unknownFields);
    Found found = found(payload, type);
    T event = type.cast(found.read(payload, type));
    found.reading().differences().ignored().forEach(unknownFields);
    return event;
  }

  /** {@inheritDoc} Fields are compared as the schemas have them. */
  @Override
  public <T> T readExactly(byte[] payload, Class<T> type) {
    Require.nonNull("payload", payload);
    Require.nonNull("type", type);
    Found found = found(payload, type);
    Differences differences = found.reading().differences();
    if (!differences.ignored().isEmpty()) {
      throw PayloadFailures.unreadable(
          payload, type, "field " + differences.ignored().get(0) + ": today's schema has no such");
    }
    if (!differences.missing().isEmpty()) {
      throw PayloadFailures.unreadable(
          payload, type, "field " + differences.missing().get(0) + ": it is missing");
    }
    return type.cast(found.read(payload, type));
  }

  /** Upcasts work on {@link GenericRecord}. */
  @Override
  public void checkTree(Class<?> tree) {
    Require.nonNull("tree", tree);
    if (tree != GenericRecord.class) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "an upcast works on "
              + tree.getName()
              + ", and Avro's payloads are read as "
              + GenericRecord.class.getName());
    }
  }

  /**
   * {@inheritDoc} The schema of the payload must be given with {@link Builder#records}. What the
   * function returns is written by the schema that it has.
   */
  @Override
  public <T> Optional<byte[]> rewrite(
      byte[] payload, Class<T> tree, Function<? super T, ? extends @Nullable T> change) {
    Require.nonNull("payload", payload);
    Require.nonNull("change", change);
    checkTree(tree);
    Object read = found(payload, GenericRecord.class).read(payload, GenericRecord.class);
    T changed = change.apply(tree.cast(read));
    return changed == null
        ? Optional.empty()
        : Optional.of(writer((GenericRecord) changed).write(changed));
  }

  /**
   * How a payload is read.
   *
   * @param reading by which schemas
   * @param from where the data begins
   */
  private record Found(SchemaPair reading, int from) {

    Object read(byte[] payload, Class<?> type) {
      return reading.read(payload, from, type);
    }
  }

  private Found found(byte[] payload, Class<?> type) {
    if (SingleObject.isOne(payload)) {
      return new Found(known(payload, type), SingleObject.HEADER_BYTES);
    }
    Schema writer =
        WireFormat.schema(payload, type, fetched)
            .orElseThrow(
                () ->
                    PayloadFailures.unreadable(
                        payload, type, "it is not in Avro's single-object encoding"));
    SchemaPair reading =
        PayloadFailures.called(
            () ->
                isGeneric(type)
                    ? generic.readingOf(writer)
                    : readable(payload, type).readingOf(writer),
            e -> // such as two aliases that name two of its fields
            PayloadFailures.unreadable(
                    payload, type, "its schema does not fit: " + e.getMessage()));
    return new Found(reading, WireFormat.HEADER_BYTES);
  }

  private SchemaPair known(byte[] payload, Class<?> type) {
    long fingerprint = SingleObject.fingerprint(payload);
    Optional<SchemaPair> known =
        isGeneric(type)
            ? generic.reading(fingerprint)
            : readable(payload, type).reading(fingerprint);
    return known.orElseThrow(
        () ->
            PayloadFailures.unreadable(
                payload,
                type,
                "it was written by a schema with the fingerprint "
                    + SingleObject.shown(fingerprint)
                    + ", which this application does not know; give that schema with type(…), or"
                    + " with records(…) for an upcast, or update this application, and retry"));
  }

  private RecordSchemas readable(byte[] payload, Class<?> type) {
    try {
      return schemasOf(type);
    } catch (ConfigurationException e) {
      throw PayloadFailures.unreadable(payload, type, String.valueOf(e.getMessage()));
    }
  }

  private RecordSchemas schemasOf(Class<?> type) {
    RecordSchemas known = classes.get(type);
    return known != null
        ? known
        : classes.computeIfAbsent(type, each -> RecordSchemas.ofClass(each, List.of()));
  }

  /**
   * Returns what knows by which schemas payloads were written, for a {@code WireFormatPublisher}:
   * those that this serializer knows.
   */
  public PayloadSchemas schemas() {
    return new WrittenPayloads(this::schema);
  }

  /** Returns a schema as registries know it, for example to register it before a deployment. */
  public static RegistrySchema registrySchema(Schema schema) {
    return RegistrySchema.of(
        RegistrySchema.Type.AVRO,
        Require.nonNull("schema", schema).getFullName(),
        schema.toString());
  }

  private Optional<Schema> schema(long fingerprint) {
    for (RecordSchemas schemas : classes.values()) {
      Optional<Schema> schema = schemas.schema(fingerprint);
      if (schema.isPresent()) {
        return schema;
      }
    }
    return generic.schema(fingerprint);
  }

  private static boolean isGeneric(Class<?> type) {
    return type == GenericRecord.class || type == GenericData.Record.class;
  }

  /** Collects schemas. Not thread-safe. */
  public static final class Builder {

    private final Map<Class<?>, List<Schema>> types = new LinkedHashMap<>();
    private final Map<Schema, List<Schema>> records = new LinkedHashMap<>();
    private final Problems problems = Problems.of("Avro schemas that cannot be used");
    private @Nullable SchemaSource source;

    private Builder() {}

    /**
     * Gives the schemas by which payloads of a class were written before, in the same version of
     * the type. Of other versions none is needed here: an upcast reads these.
     *
     * @param type the class of the events, generated from today's schema; matched exactly
     * @param older schemas whose payloads today's must read, by its defaults and aliases; also
     *     those that differ in a logical type alone, which no payload shows
     */
    public Builder type(Class<?> type, Schema... older) {
      Require.nonNull("type", type);
      if (types.putIfAbsent(type, copied(older)) != null) {
        problems.add("older schemas of " + type.getName() + " are given twice; give all at once");
      }
      return this;
    }

    /**
     * Gives the schema of records without a class: payloads of it, and of the older ones, are read
     * as {@link GenericRecord}s of it. For events that are such records, and for upcasts, which
     * begin with the schema of an older version.
     *
     * @param schema a record's
     * @param older schemas whose payloads it must read, by its defaults and aliases
     */
    public Builder records(Schema schema, Schema... older) {
      Require.nonNull("schema", schema);
      if (records.putIfAbsent(schema, copied(older)) != null) {
        problems.add("the schema of " + schema.getFullName() + " is given twice; give it once");
      }
      return this;
    }

    /**
     * Sets where schemas of payloads in the wire format of registries are fetched, as other
     * applications write them; the default refuses such payloads. What is fetched is kept. Reading
     * never waits for the registry: a message whose schema is not here yet is parked ({@code
     * OUT-038}), its schema fetched beside, and tried again; an id that the registry does not know,
     * or does not answer while it answers for others, is {@code OUT-015}; while the registry does
     * not answer at all, that is an outage, {@code OUT-022}.
     *
     * @param value the registry
     * @param subjects whose schemas are fetched when the serializer is built, such as {@code
     *     orders-value}, so that no message waits for them: of each the newest 100 versions, for
     *     half a minute in all. If the registry does not answer then, that is logged, and nothing
     *     fails
     */
    public Builder readFrom(SchemaRegistry value, String... subjects) {
      source = SchemaSource.of(value, subjects);
      return this;
    }

    private static List<Schema> copied(Schema... older) {
      List<Schema> copy = new ArrayList<>();
      for (Schema before : Require.nonNull("older", older)) {
        copy.add(Require.nonNull("before", before));
      }
      return copy;
    }

    /**
     * Checks the schemas, and builds the serializer.
     *
     * @throws ConfigurationException {@code OUT-021} listing every schema that does not read what
     *     an older one has written, with each difference, and every class without a schema
     */
    public AvroSerializer build() {
      Map<Class<?>, RecordSchemas> classes = new LinkedHashMap<>();
      types.forEach(
          (type, older) ->
              problems
                  .attempt(() -> RecordSchemas.ofClass(type, older))
                  .ifPresent(schemas -> classes.put(type, schemas)));
      GenericSchemas generic = new GenericSchemas();
      records.forEach((schema, older) -> problems.check(() -> generic.add(schema, older)));
      problems.refuse();
      return new AvroSerializer(
          classes, generic, source == null ? null : source.fetched(new AvroSchemaReader()));
    }
  }
}
