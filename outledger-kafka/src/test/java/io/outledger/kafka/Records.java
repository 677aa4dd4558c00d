// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Makes records as a consumer gets them. */
final class Records {

  static final long TIMESTAMP = 1_800_000_000_000L;

  private Records() {}

  /** A record of a partition that is a CloudEvent whose id is its offset. */
  static ConsumerRecord<byte[], byte[]> event(String topic, int partition, long offset) {
    return with(topic, partition, offset, attributes(Long.toString(offset)));
  }

  /** A record that is no CloudEvent. */
  static ConsumerRecord<byte[], byte[]> foreign(String topic, int partition, long offset) {
    return with(topic, partition, offset, Map.of("anything", "text"));
  }

  /** The attributes that a CloudEvent must have. */
  static Map<String, String> attributes(String id) {
    Map<String, String> attributes = new TreeMap<>();
    attributes.put("ce_specversion", "1.0");
    attributes.put("ce_id", id);
    attributes.put("ce_source", "/test");
    attributes.put("ce_type", "t");
    return attributes;
  }

  static ConsumerRecord<byte[], byte[]> with(
      String topic, int partition, long offset, Map<String, String> headers) {
    return with(topic, partition, offset, headers, "payload".getBytes(UTF_8));
  }

  /** A CloudEvent without a value. */
  static ConsumerRecord<byte[], byte[]> tombstone(String topic, int partition, long offset) {
    return with(topic, partition, offset, attributes(Long.toString(offset)), null);
  }

  private static ConsumerRecord<byte[], byte[]> with(
      String topic,
      int partition,
      long offset,
      Map<String, String> headers,
      byte @Nullable [] value) {
    RecordHeaders all = new RecordHeaders();
    headers.forEach((name, text) -> all.add(name, text.getBytes(UTF_8)));
    return new ConsumerRecord<>(
        topic,
        partition,
        offset,
        TIMESTAMP,
        TimestampType.CREATE_TIME,
        1,
        value == null ? -1 : 1,
        "key".getBytes(UTF_8),
        value,
        all,
        Optional.empty());
  }
}
