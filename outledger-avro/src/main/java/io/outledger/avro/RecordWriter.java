// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.InvalidMessageException;
import io.outledger.event.PayloadFailures;
import java.io.ByteArrayOutputStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageEncoder;

/**
 * Writes records by one schema. Thread-safe.
 *
 * @param fingerprint of the schema
 * @param encoder writes, with the fingerprint before the data
 */
record RecordWriter(long fingerprint, BinaryMessageEncoder<Object> encoder) {

  /** What a small event needs; a larger one grows. */
  private static final int BYTES_AT_FIRST = 256;

  static RecordWriter of(GenericData model, Schema schema) {
    return new RecordWriter(
        SingleObject.fingerprint(schema), new BinaryMessageEncoder<>(model, schema));
  }

  /**
   * Writes a record.
   *
   * @throws InvalidMessageException {@code OUT-015} if it does not fit the schema
   */
  byte[] write(Object event) {
    return PayloadFailures.called(
        () -> {
          ByteArrayOutputStream payload = new ByteArrayOutputStream(BYTES_AT_FIRST);
          encoder.encode(event, payload);
          return payload.toByteArray();
        },
        // Without the cause, which may quote the event.
        e -> PayloadFailures.unwritable(event, "as Avro", Reasons.ofWriting(e), null));
  }
}
