// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.MessageLimits;
import io.outledger.inbox.Received;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Reads Kafka records that are CloudEvents in binary mode. What it reads was written by others, so
 * nothing is taken for granted. Thread-safe.
 */
final class CloudEventReader {

  private static final byte[] NOTHING = new byte[0];
  private static final String SOURCE_BY_OFFSET = "/kafka";

  private final ForeignRecords foreign;

  CloudEventReader(ForeignRecords foreign) {
    this.foreign = foreign;
  }

  /**
   * Reads a record.
   *
   * @throws InvalidMessageException {@code OUT-014} where it is no CloudEvent of binary mode, or
   *     its identity, type or version cannot be read
   */
  Received read(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = headers(record);
    String specVersion = headers.remove(CloudEventNames.SPEC_VERSION);
    if (specVersion == null && foreign == ForeignRecords.IDENTIFY_BY_OFFSET) {
      return byOffset(record, headers);
    }
    if (specVersion == null || !specVersion.startsWith("1.")) {
      throw invalid(
          record,
          "is not a CloudEvent 1.x in binary mode: "
              + CloudEventNames.SPEC_VERSION
              + " is "
              + shown(specVersion));
    }
    String id = required(record, headers, CloudEventNames.ID);
    String source = required(record, headers, CloudEventNames.SOURCE);
    String type = required(record, headers, CloudEventNames.TYPE);
    if (type.length() > MessageLimits.TYPE_CHARS_MAX) {
      throw invalid(record, "has a type of " + type.length() + " characters");
    }
    int version = version(record, headers.remove(CloudEventNames.DATA_VERSION));
    Instant time = time(headers.remove(CloudEventNames.TIME));
    String key = headers.remove(CloudEventNames.PARTITION_KEY);
    mergeTrace(headers);
    return new Received(
        source,
        id,
        record.topic(),
        key == null ? text(record.key()) : key,
        type,
        version,
        payload(record),
        headers,
        time);
  }

  private static Received byOffset(
      ConsumerRecord<byte[], byte[]> record, Map<String, String> headers) {
    // With the time, since a topic that was deleted and made again hands out its offsets again.
    String id =
        record.topic()
            + "-"
            + record.partition()
            + "-"
            + record.offset()
            + "-"
            + record.timestamp();
    return new Received(
        SOURCE_BY_OFFSET,
        id,
        record.topic(),
        text(record.key()),
        record.topic(),
        1,
        payload(record),
        headers,
        Instant.ofEpochMilli(record.timestamp()));
  }

  /** Other senders' headers may be anything; those that are not text are left out. */
  private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new TreeMap<>();
    for (Header header : record.headers()) {
      String value = text(header.value());
      if (value != null) {
        headers.put(header.key(), value);
      } else {
        headers.remove(header.key());
      }
    }
    return headers;
  }

  /** The trace may come under either name, and goes on under the tracers' own. */
  private static void mergeTrace(Map<String, String> headers) {
    for (String name : new String[] {CloudEventNames.TRACE_PARENT, CloudEventNames.TRACE_STATE}) {
      String value = headers.remove(CloudEventNames.PREFIX + name);
      if (value != null) {
        headers.putIfAbsent(name, value);
      }
    }
  }

  private static String required(
      ConsumerRecord<byte[], byte[]> record, Map<String, String> headers, String name) {
    String value = headers.remove(name);
    if (value == null || value.isBlank()) {
      throw invalid(record, "has no readable " + name);
    }
    return value;
  }

  private static int version(ConsumerRecord<byte[], byte[]> record, @Nullable String text) {
    if (text == null) {
      return 1;
    }
    if (text.matches("[1-9][0-9]{0,8}")) {
      return Integer.parseInt(text);
    }
    throw invalid(
        record,
        "has a "
            + CloudEventNames.DATA_VERSION
            + " of "
            + text.length()
            + " characters, and must have a whole number from 1");
  }

  private static @Nullable Instant time(@Nullable String text) {
    try {
      return text == null ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null; // for display only, so not worth stopping for
    }
  }

  private static byte[] payload(ConsumerRecord<byte[], byte[]> record) {
    return record.value() == null ? NOTHING : record.value();
  }

  private static @Nullable String text(byte @Nullable [] bytes) {
    try {
      return bytes == null ? null : UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Not the value itself: a stranger chose it, and it would go into the log. */
  private static String shown(@Nullable String value) {
    return value == null ? "missing" : "another, of " + value.length() + " characters";
  }

  private static InvalidMessageException invalid(
      ConsumerRecord<byte[], byte[]> record, String problem) {
    return new InvalidMessageException(
        ErrorCode.INVALID_MESSAGE,
        "record "
            + record.topic()
            + "-"
            + record.partition()
            + "@"
            + record.offset()
            + " "
            + problem);
  }
}
