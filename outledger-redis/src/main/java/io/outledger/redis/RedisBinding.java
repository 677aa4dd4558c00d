// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.cloudevents.ReservedHeaders;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a message stands in an entry of a stream. CloudEvents has no binding for Redis; this one is
 * the binding of Kafka, with fields for headers, and the payload in a field of its own.
 */
final class RedisBinding {

  static final String PREFIX = "ce_";
  static final String PAYLOAD = "payload";

  /** Beside the payload's field there cannot be a header's. */
  private static final ReservedHeaders RESERVED =
      ReservedHeaders.in("an entry of ours in Redis", PAYLOAD);

  private final CloudEventWriter<Map.Entry<String, byte[]>> writer;

  RedisBinding(String source) {
    this.writer = new CloudEventWriter<>(PREFIX, source, RESERVED, Map::entry);
  }

  static CloudEventReader reader() {
    return new CloudEventReader(PREFIX);
  }

  /**
   * Returns the fields of a message's entry.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if the name of a header is
   *     reserved
   */
  synchronized Map<String, byte[]> fields(long position, Message message) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> header : writer.write(position, message)) {
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
