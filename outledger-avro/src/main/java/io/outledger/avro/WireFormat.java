// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import java.nio.ByteBuffer;

/**
 * What stands before the data in the wire format of schema registries: a zero, and four bytes with
 * the id that the registry gave to the schema.
 */
final class WireFormat {

  /** How many bytes stand before the data. */
  static final int HEADER_BYTES = 5;

  private WireFormat() {}

  /** Returns whether a payload has the mark, and a whole id. */
  static boolean isOne(byte[] payload) {
    return payload.length >= HEADER_BYTES && payload[0] == 0;
  }

  /** Returns the id in a payload that {@link #isOne}. */
  static int id(byte[] payload) {
    return ByteBuffer.wrap(payload).getInt(1);
  }

  /** Returns a payload in {@linkplain SingleObject single-object encoding} in this format. */
  static byte[] of(int id, byte[] single) {
    int data = single.length - SingleObject.HEADER_BYTES;
    return ByteBuffer.allocate(HEADER_BYTES + data)
        .put((byte) 0)
        .putInt(id)
        .put(single, SingleObject.HEADER_BYTES, data)
        .array();
  }
}
