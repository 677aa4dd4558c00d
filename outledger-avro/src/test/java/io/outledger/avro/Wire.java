// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import java.nio.ByteBuffer;

/** Payloads in the wire format of registries, as others write them. */
final class Wire {

  private Wire() {}

  /** Returns a payload in single-object encoding with an id in place of the fingerprint. */
  static byte[] of(int id, byte[] single) {
    int data = single.length - SingleObject.HEADER_BYTES;
    return ByteBuffer.allocate(5 + data)
        .put((byte) 0)
        .putInt(id)
        .put(single, SingleObject.HEADER_BYTES, data)
        .array();
  }
}
