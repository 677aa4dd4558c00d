// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
    ByteArrayOutputStream payload = new ByteArrayOutputStream(BYTES_AT_FIRST);
    try {
      encoder.encode(event, payload);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // Without the cause, which may quote the event.
      throw new InvalidMessageException(
          ErrorCode.UNREADABLE_PAYLOAD,
          "an event of "
              + event.getClass().getName()
              + " cannot be written as Avro: "
              + Reasons.ofWriting(e));
    }
    return payload.toByteArray();
  }
}
