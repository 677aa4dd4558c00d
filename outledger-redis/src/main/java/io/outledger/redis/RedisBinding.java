// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEventWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a message stands in an entry of a stream. CloudEvents has no binding for Redis; this one is
 * the binding of Kafka, with fields for headers, and the payload in a field of its own.
 */
final class RedisBinding {

  static final String PREFIX = "ce_";
  static final String PAYLOAD = "payload";

  private final CloudEventWriter<Map.Entry<String, byte[]>> writer;

  RedisBinding(String source) {
    this.writer = new CloudEventWriter<>(PREFIX, source, Map::entry);
  }

  static CloudEventReader reader() {
    return new CloudEventReader(PREFIX);
  }

  /**
   * Returns the fields of a message's entry.
   *
   * @throws InvalidMessageException {@code OUT-014} if the name of a header is reserved
   */
  synchronized Map<String, byte[]> fields(long position, Message message) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> header : writer.write(position, message)) {
      if (header.getKey().equals(PAYLOAD)) {
        throw new InvalidMessageException(
            ErrorCode.INVALID_MESSAGE,
            "header 'payload' is the field of the payload in Redis; use another name");
      }
      fields.put(header.getKey(), header.getValue());
    }
    fields.put(PAYLOAD, message.payload());
    return fields;
  }

  /** Returns bytes as text for people. */
  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
