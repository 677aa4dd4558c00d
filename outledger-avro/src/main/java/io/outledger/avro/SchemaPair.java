// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.InvalidMessageException;
import io.outledger.event.PayloadFailures;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * How payloads of one schema are read by another one. Thread-safe.
 *
 * <p>Avro believes no count of elements for which too few bytes are left, and measures that by the
 * reader's schema. The elements of an older one may have been smaller. So its payloads are first
 * read by their own schema, which measures them rightly, and then once more without measuring.
 *
 * @param reader reads
 * @param measure reads payloads by their own schema; null where one reading does
 * @param differences of the two schemas
 */
record SchemaPair(
    DatumReader<Object> reader, @Nullable DatumReader<Object> measure, Differences differences) {

  /**
   * Makes one.
   *
   * @param model how records are made
   * @param writer the schema of the payloads
   * @param schema the schema of what comes of them
   */
  static SchemaPair of(GenericData model, Schema writer, Schema schema, Differences differences) {
    @SuppressWarnings("unchecked") // Avro leaves open what a reader returns
    DatumReader<Object> reader = model.createDatumReader(writer, schema);
    boolean isMeasuredByReader = writer.equals(schema) || hasElementsOfNoBytes(writer, seen());
    return new SchemaPair(
        reader,
        isMeasuredByReader
            ? null
            : new GenericDatumReader<>(writer, writer, GenericSchemas.withoutClassNames()),
        differences);
  }

  private static Set<Schema> seen() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /** Of these any number is there; what today's would need bounds it. */
  private static boolean hasElementsOfNoBytes(Schema schema, Set<Schema> seen) {
    return switch (schema.getType()) {
      case ARRAY ->
          hasNoBytes(schema.getElementType(), seen())
              || hasElementsOfNoBytes(schema.getElementType(), seen);
      case MAP -> hasElementsOfNoBytes(schema.getValueType(), seen);
      case UNION -> schema.getTypes().stream().anyMatch(each -> hasElementsOfNoBytes(each, seen));
      case RECORD ->
          seen.add(schema)
              && schema.getFields().stream()
                  .anyMatch(field -> hasElementsOfNoBytes(field.schema(), seen));
      default -> false;
    };
  }

  /**
   * Returns whether a value may have no bytes at all.
   *
   * @param within the records around it: one that contains itself has no end
   */
  private static boolean hasNoBytes(Schema schema, Set<Schema> within) {
    return switch (schema.getType()) {
      case NULL -> true;
      case FIXED -> schema.getFixedSize() == 0;
      case RECORD -> {
        if (!within.add(schema)) {
          yield false;
        }
        boolean isEmpty =
            schema.getFields().stream().allMatch(field -> hasNoBytes(field.schema(), within));
        within.remove(schema);
        yield isEmpty;
      }
      default -> false;
    };
  }

  /**
   * Reads a payload.
   *
   * @param from where the data begins
   * @param as what is read, for the error's text
   * @throws InvalidMessageException {@code OUT-015} if it cannot be read, or something follows it
   */
  Object read(byte[] payload, int from, Class<?> as) {
    // Without the cause, which may quote the payload.
    return PayloadFailures.called(
        () ->
            measure == null
                ? whole(reader, payload, from, as)
                : measured(measure, payload, from, as),
        e -> PayloadFailures.unreadable(payload, as, Reasons.ofReading(e)));
  }

  private Object measured(DatumReader<Object> first, byte[] payload, int from, Class<?> as)
      throws IOException {
    whole(first, payload, from, as);
    // A direct one does not know what is left.
    return reader.read(
        null,
        DecoderFactory.get()
            .directBinaryDecoder(
                new ByteArrayInputStream(payload, from, payload.length - from), null));
  }

  private static Object whole(DatumReader<Object> by, byte[] payload, int from, Class<?> as)
      throws IOException {
    BinaryDecoder in =
        DecoderFactory.get().binaryDecoder(payload, from, payload.length - from, null);
    Object event = by.read(null, in);
    if (!in.isEnd()) {
      throw PayloadFailures.unreadable(payload, as, "something follows the event");
    }
    return event;
  }
}
