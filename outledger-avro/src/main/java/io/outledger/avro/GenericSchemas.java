// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;

/** The schemas of payloads that are read as records without a class. Thread-safe. */
final class GenericSchemas {

  private final GenericData model = withoutClassNames();
  private final Map<Long, RecordSchemas> byFingerprint = new HashMap<>(); // filled at first alone
  private final Set<Long> today = new LinkedHashSet<>(); // as that
  private final FetchedPairs fetched = new FetchedPairs(this::newReading);

  /** A schema may say of its texts by which class they are made: a registry's schema is data. */
  static GenericData withoutClassNames() {
    GenericData data = new GenericData();
    data.getFastReaderBuilder().withClassPropEnabled(false).withKeyClassEnabled(false);
    return data;
  }

  /**
   * Adds a schema, before this is used.
   *
   * @throws ConfigurationException {@code OUT-021} if it does not read what an older one has
   *     written, or another one reads payloads of the same schema
   */
  void add(Schema schema, List<Schema> older) {
    RecordSchemas added = RecordSchemas.ofRecords(model, schema, older);
    for (Schema each : added.all()) {
      RecordSchemas other = byFingerprint.putIfAbsent(SingleObject.fingerprint(each), added);
      if (other != null) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "the schema of "
                + each.getFullName()
                + " ("
                + SingleObject.shown(SingleObject.fingerprint(each))
                + ") is given twice with records(…); give it once");
      }
    }
    today.add(SingleObject.fingerprint(schema));
  }

  boolean isEmpty() {
    return today.isEmpty();
  }

  /** Returns whether records of a schema may be written: it is given, and not as an older one. */
  boolean isToday(long fingerprint) {
    return today.contains(fingerprint);
  }

  GenericData model() {
    return model;
  }

  /** Returns the schema with a fingerprint, if it is one of these. */
  Optional<Schema> schema(long fingerprint) {
    return Optional.ofNullable(byFingerprint.get(fingerprint))
        .flatMap(schemas -> schemas.schema(fingerprint));
  }

  /** Returns how payloads with a fingerprint are read; empty if none of the schemas has it. */
  Optional<SchemaPair> reading(long fingerprint) {
    return Optional.ofNullable(byFingerprint.get(fingerprint))
        .flatMap(schemas -> schemas.reading(fingerprint));
  }

  /**
   * Returns how payloads of a schema from elsewhere are read: as they are, unless it is known.
   *
   * @throws AvroRuntimeException if it is known, and they mean something else
   */
  SchemaPair readingOf(Schema writer) {
    return fetched.of(writer);
  }

  private SchemaPair newReading(Schema writer) {
    RecordSchemas known = byFingerprint.get(SingleObject.fingerprint(writer));
    return known == null
        ? SchemaPair.of(model, writer, writer, Differences.of(writer, writer))
        : known.readingOf(writer);
  }
}
