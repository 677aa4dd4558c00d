// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.Require;
import java.nio.ByteBuffer;

/**
 * What stands before the data in the wire format of schema registries: a zero, and four bytes with
 * the id that the registry gave to the schema. For those who write serializers.
 */
public final class WireFormat {

  /** How many bytes stand before the data, or before what a format puts there. */
  public static final int HEADER_BYTES = 5;

  private WireFormat() {}

  /** Returns whether a payload has the mark, and a whole id. */
  public static boolean isOne(byte[] payload) {
    return Require.nonNull("payload", payload).length >= HEADER_BYTES && payload[0] == 0;
  }

  /** Returns the id in a payload that {@link #isOne}. */
  public static int id(byte[] payload) {
    return ByteBuffer.wrap(Require.nonNull("payload", payload)).getInt(1);
  }

  /** Returns a payload in this format. */
  static byte[] of(int id, WirePayload.Written written, byte[] payload) {
    int data = payload.length - written.from();
    return ByteBuffer.allocate(HEADER_BYTES + written.index().length + data)
        .put((byte) 0)
        .putInt(id)
        .put(written.index())
        .put(payload, written.from(), data)
        .array();
  }
}
