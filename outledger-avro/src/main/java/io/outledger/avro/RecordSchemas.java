// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * The schemas by which payloads of one kind are read: that of today, and older ones whose payloads
 * become records of today's. Thread-safe.
 */
final class RecordSchemas {

  private final GenericData model;
  private final Schema schema;
  private final RecordWriter writer;
  private final Map<Long, Schema> writers = new HashMap<>(); // filled by the constructor alone
  private final Map<Long, SchemaPair> readings = new HashMap<>(); // as that
  private final FetchedPairs fetched = new FetchedPairs(this::newReading);

  private RecordSchemas(String whose, GenericData model, Schema schema, List<Schema> older) {
    this.model = model;
    this.schema = schema;
    this.writer = RecordWriter.of(model, schema);
    for (Schema each : older) {
      add(each, Evolution.checked(whose, each, schema));
    }
    add(schema, Differences.of(schema, schema)); // last: of two that look the same it is this one
  }

  private void add(Schema writer, Differences differences) {
    long fingerprint = SingleObject.fingerprint(writer);
    writers.put(fingerprint, writer);
    readings.put(fingerprint, SchemaPair.of(model, writer, schema, differences));
  }

  /**
   * Returns the schemas of a class that was generated from a schema.
   *
   * @param older by which payloads of it were written before
   * @throws ConfigurationException {@code OUT-021} if it is no such class, or its schema does not
   *     read what an older one has written
   */
  static RecordSchemas ofClass(Class<?> type, List<Schema> older) {
    if (!SpecificRecord.class.isAssignableFrom(type)) {
      throw refused(
          type, "it is not generated from a schema: it does not implement SpecificRecord");
    }
    SpecificData model = SpecificData.getForClass(type);
    Schema schema;
    try {
      schema = model.getSchema(type);
    } catch (AvroRuntimeException e) {
      throw refused(type, "it has no schema: " + e.getMessage());
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw refused(type, "its schema is no record");
    }
    NamedClasses.check(type, model, schema);
    return new RecordSchemas(type.getName(), model, schema, older);
  }

  /**
   * Returns the schemas of records without a class.
   *
   * @throws ConfigurationException {@code OUT-021} if the schema is no record's, or does not read
   *     what an older one has written
   */
  static RecordSchemas ofRecords(GenericData model, Schema schema, List<Schema> older) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "a schema of payloads must be a record's, and " + schema.getType() + " is given");
    }
    return new RecordSchemas(schema.getFullName(), model, schema, older);
  }

  private static ConfigurationException refused(Class<?> type, String why) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "events of "
            + type.getName()
            + " cannot be Avro: "
            + why
            + "; generate the class with Avro's Maven or Gradle plugin");
  }

  /** Returns what writes by today's schema. */
  RecordWriter writer() {
    return writer;
  }

  /** Returns all of the schemas. */
  Collection<Schema> all() {
    return writers.values();
  }

  /** Returns the schema with a fingerprint, if it is one of these. */
  Optional<Schema> schema(long fingerprint) {
    return Optional.ofNullable(writers.get(fingerprint));
  }

  /** Returns how payloads with a fingerprint are read; empty if none of the schemas has it. */
  Optional<SchemaPair> reading(long fingerprint) {
    return Optional.ofNullable(readings.get(fingerprint));
  }

  /**
   * Returns how payloads of a schema from elsewhere are read, which may turn out to be unfit.
   *
   * @throws AvroRuntimeException if they mean something else than today's
   */
  SchemaPair readingOf(Schema writer) {
    return fetched.of(writer);
  }

  private SchemaPair newReading(Schema writer) {
    Differences differences = Differences.of(writer, schema);
    if (!differences.meanings().isEmpty()) {
      throw new AvroTypeException("logical type: " + String.join("; ", differences.meanings()));
    }
    return SchemaPair.of(model, writer, schema, differences);
  }
}
