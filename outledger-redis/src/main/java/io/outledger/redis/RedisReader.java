// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.outledger.InvalidMessageException;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.ReservedHeaders;
import io.outledger.cloudevents.TransportMessage;
import io.outledger.inbox.Received;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of a stream's entries. Strangers may have written them, so nothing is taken for
 * granted. Thread-safe.
 */
final class RedisReader {

  private static final byte[] NOTHING = new byte[0];

  private final CloudEventReader events = RedisBinding.reader();
  private final String stream;
  private final String origin;

  RedisReader(String stream, @Nullable String origin) {
    this.stream = stream;
    this.origin = origin == null ? stream : origin;
  }

  /**
   * Reads an entry.
   *
   * @throws InvalidMessageException {@code OUT-014} if it was removed from the stream, is too
   *     large, has too many fields, or is not a CloudEvent whose identity, type and version can be
   *     read
   */
  Received read(RedisGroup.Entry entry) {
    Map<String, byte[]> fields = entry.fields();
    if (entry.bytes() > 0) {
      throw new Delivered(entry.id(), stream, NOTHING, origin)
          .unreadable(
              "has "
                  + entry.bytes()
                  + " bytes, and at most "
                  + RedisGroup.ENTRY_BYTES_MAX
                  + " are received, an eighth of the heap");
    }
    if (fields == null) {
      throw new Delivered(entry.id(), stream, NOTHING, origin)
          .unreadable(
              "was removed from the stream before it was acknowledged: trim less, or receive"
                  + " faster");
    }
    Delivered delivered =
        new Delivered(
            entry.id(), stream, fields.getOrDefault(RedisBinding.PAYLOAD, NOTHING), origin);
    ReceivedHeaders headers = new ReceivedHeaders(delivered, ReservedHeaders.NONE);
    fields.forEach(
        (name, value) -> {
          if (!name.equals(RedisBinding.PAYLOAD)) {
            headers.add(name, value);
          }
        });
    return events.read(delivered, headers);
  }

  /** An entry as Redis delivered it. */
  private record Delivered(
      String id,
      String topic,
      @SuppressWarnings("ArrayRecordComponent") byte[] payload,
      String origin)
      implements TransportMessage {

    @Override
    public String place() {
      return "entry " + topic + "@" + id;
    }

    @Override
    public @Nullable String key() {
      return null;
    }
  }
}
