// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.MessageLimits;
import io.outledger.inbox.Received;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads Kafka records that are CloudEvents in binary mode. What it reads was written by others, so
 * nothing is taken for granted. Thread-safe.
 */
final class CloudEventReader {

  private static final byte[] NOTHING = new byte[0];
  private static final String SOURCE_BY_OFFSET = "/kafka";

  /** No topic's name ends so: what a sender says of itself is never taken for a place. */
  private static final String ORIGIN_BY_OFFSET = "#offset";

  private static final List<String> IDENTIFYING =
      List.of(
          CloudEventNames.SPEC_VERSION,
          CloudEventNames.ID,
          CloudEventNames.SOURCE,
          CloudEventNames.TYPE,
          CloudEventNames.DATA_VERSION);

  private final ReceiverChoices choices;

  CloudEventReader(ReceiverChoices choices) {
    this.choices = choices;
  }

  /** Returns how large a record's key and value are, which may have been too large to read. */
  static int bytes(ConsumerRecord<byte[], byte[]> record) {
    return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
  }

  /**
   * Reads a record.
   *
   * @throws InvalidMessageException {@code OUT-014} if it is too large or has too many headers, or
   *     is no CloudEvent of binary mode whose identity, type and version can be read, and that is
   *     not the choice
   */
  Received read(ConsumerRecord<byte[], byte[]> record) {
    long bytes = bytes(record);
    if (bytes > choices.recordBytesMax()) {
      String most = " bytes, but the limit is " + choices.recordBytesMax();
      throw invalid(record, "has " + bytes + most);
    }
    HeaderTexts headers = HeaderTexts.of(record.headers());
    if (headers == null) {
      throw invalid(record, "has more headers than the receiver accepts");
    }
    Map<String, String> texts = headers.texts();
    texts.remove(KafkaReceiver.TOMBSTONE_HEADER);
    if (record.serializedValueSize() < 0) {
      texts.put(KafkaReceiver.TOMBSTONE_HEADER, "true");
    }
    try {
      return event(record, headers);
    } catch (InvalidMessageException e) {
      if (choices.foreign() == ForeignRecords.STOP) {
        throw e;
      }
      return byOffset(record, texts);
    }
  }

  private Received event(ConsumerRecord<byte[], byte[]> record, HeaderTexts given) {
    for (String name : IDENTIFYING) {
      if (given.repeated().contains(name)) {
        throw invalid(record, "has more than one " + name);
      }
    }
    Map<String, String> headers = new TreeMap<>(given.texts());
    String specVersion = headers.remove(CloudEventNames.SPEC_VERSION);
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
    String type = type(record, headers);
    int version = version(record, headers.remove(CloudEventNames.DATA_VERSION));
    Instant time = time(headers.remove(CloudEventNames.TIME));
    String key = headers.remove(CloudEventNames.PARTITION_KEY);
    mergeTrace(headers);
    return place(
        record,
        () ->
            new Received(
                source,
                id,
                record.topic(),
                key == null ? HeaderTexts.text(record.key()) : key,
                type,
                version,
                payload(record),
                headers,
                time,
                origin(record)));
  }

  private String origin(ConsumerRecord<byte[], byte[]> record) {
    return choices.origin() == null ? record.topic() : choices.origin();
  }

  /** Says of what cannot be received where it lies. */
  private static Received place(
      ConsumerRecord<byte[], byte[]> record, Supplier<Received> received) {
    try {
      return received.get();
    } catch (InvalidMessageException e) {
      throw invalid(record, "cannot be received: " + e.getMessage());
    }
  }

  private Received byOffset(ConsumerRecord<byte[], byte[]> record, Map<String, String> headers) {
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
        HeaderTexts.text(record.key()),
        record.topic(),
        1,
        payload(record),
        headers,
        inRange(Instant.ofEpochMilli(record.timestamp())),
        origin(record) + ORIGIN_BY_OFFSET);
  }

  /** The trace may come under either name, and continues under the tracers' own. */
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

  private static String type(ConsumerRecord<byte[], byte[]> record, Map<String, String> headers) {
    String type = required(record, headers, CloudEventNames.TYPE);
    if (type.length() > MessageLimits.TYPE_CHARS_MAX
        || type.chars().anyMatch(Character::isISOControl)) {
      throw invalid(
          record, "has a type of " + type.length() + " characters, which is not a valid type");
    }
    return type;
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
            + " characters but must be a whole number, 1 or more");
  }

  private static @Nullable Instant time(@Nullable String text) {
    try {
      return text == null ? null : inRange(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return null; // for display only, so not worth stopping for
    }
  }

  /** A time that no database and no date format can write is none. */
  private static @Nullable Instant inRange(Instant time) {
    boolean isOut = time.isBefore(MessageLimits.TIME_MIN) || time.isAfter(MessageLimits.TIME_MAX);
    return isOut ? null : time;
  }

  private static byte[] payload(ConsumerRecord<byte[], byte[]> record) {
    return record.value() == null ? NOTHING : record.value();
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
