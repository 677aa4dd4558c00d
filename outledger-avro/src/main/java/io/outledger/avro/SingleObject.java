// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * What stands before the data in Avro's single-object encoding: two bytes that mark it, and eight
 * with the fingerprint of the schema by which the data was written.
 */
final class SingleObject {

  /** How many bytes stand before the data. */
  static final int HEADER_BYTES = 10;

  private static final byte FIRST = (byte) 0xC3;
  private static final byte SECOND = 1;

  private SingleObject() {}

  /** Returns whether a payload has the mark, and a whole fingerprint. */
  static boolean isOne(byte[] payload) {
    return payload.length >= HEADER_BYTES && payload[0] == FIRST && payload[1] == SECOND;
  }

  /** Returns the fingerprint in a payload that {@link #isOne}. */
  static long fingerprint(byte[] payload) {
    return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
  }

  /** Returns the fingerprint of a schema. */
  static long fingerprint(Schema schema) {
    return SchemaNormalization.parsingFingerprint64(schema);
  }

  /** Writes a fingerprint for people, with the digits in the order of the payload's bytes. */
  static String shown(long fingerprint) {
    String digits = Long.toHexString(Long.reverseBytes(fingerprint));
    return "0".repeat(16 - digits.length()) + digits;
  }
}
