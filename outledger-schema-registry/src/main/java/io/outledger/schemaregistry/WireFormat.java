// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.InvalidMessageException;
import io.outledger.Require;
import io.outledger.event.PayloadFailures;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  /**
   * Returns the schema by which a payload in this format was written.
   *
   * @param type the class that is read, for the text of a failure
   * @param fetched where schemas are known; null where no registry was named
   * @return empty where the payload is in another format
   * @throws InvalidMessageException {@code OUT-015} if no registry was named
   * @throws RuntimeException as {@link FetchedSchemas#of} says
   */
  public static <S> Optional<S> schema(
      byte[] payload, Class<?> type, @Nullable FetchedSchemas<S> fetched) {
    Require.nonNull("type", type);
    if (!isOne(payload)) {
      return Optional.empty();
    }
    if (fetched == null) {
      throw PayloadFailures.unreadable(
          payload,
          type,
          "it is in the wire format of a schema registry; name the registry with readFrom(…)");
    }
    return Optional.of(fetched.of(id(payload)));
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
