// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Reads bytes as they are, and does not copy those of a record that will be refused for its size;
 * the record tells its size all the same.
 *
 * @param max the most bytes
 */
record BoundedBytes(int max) implements Deserializer<byte[]> {

  @Override
  public byte @Nullable [] deserialize(String topic, byte @Nullable [] data) {
    return data == null || data.length > max ? null : data;
  }

  @Override
  public byte @Nullable [] deserialize(String topic, Headers headers, @Nullable ByteBuffer data) {
    return data == null || data.remaining() > max ? null : Utils.toArray(data);
  }
}
