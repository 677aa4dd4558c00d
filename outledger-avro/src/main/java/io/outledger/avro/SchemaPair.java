// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.InvalidMessageException;
import io.outledger.event.PayloadFailures;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;

/**
 * How payloads of one schema are read by another one. Thread-safe.
 *
 * @param reader reads
 * @param differences of the two schemas
 */
record SchemaPair(DatumReader<Object> reader, Differences differences) {

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
    return new SchemaPair(reader, differences);
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
        () -> whole(payload, from, as),
        e -> PayloadFailures.unreadable(payload, as, Reasons.ofReading(e)));
  }

  private Object whole(byte[] payload, int from, Class<?> as) throws IOException {
    BinaryDecoder in =
        DecoderFactory.get().binaryDecoder(payload, from, payload.length - from, null);
    Object event = reader.read(null, in);
    if (!in.isEnd()) {
      throw PayloadFailures.unreadable(payload, as, "something follows the event");
    }
    return event;
  }
}
