// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.MessageLimits;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.ReservedHeaders;
import io.outledger.cloudevents.TransportMessage;
import io.outledger.inbox.Received;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of records: of CloudEvents, and of others if that is the choice. Strangers may
 * have written the records, so nothing is taken for granted. Thread-safe.
 */
final class RecordReader {

  private static final byte[] NOTHING = new byte[0];
  private static final String SOURCE_BY_OFFSET = "/kafka";

  /** No topic's name ends so: what a sender says of itself is never taken for a place. */
  private static final String ORIGIN_BY_OFFSET = "#offset";

  private final CloudEventReader events = KafkaBinding.reader();
  private final ReceiverChoices choices;
  private final @Nullable String origin;

  /**
   * Makes a reader.
   *
   * @param origin what to call the place the records come from; null for their topic
   */
  RecordReader(ReceiverChoices choices, @Nullable String origin) {
    this.choices = choices;
    this.origin = origin;
  }

  /** Returns how large a record's key and value are, which may have been too large to read. */
  static int bytes(ConsumerRecord<?, ?> record) {
    return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
  }

  /**
   * Reads a record.
   *
   * @throws InvalidMessageException {@code OUT-014} if it is too large or has too many headers, or
   *     is no CloudEvent of binary mode whose identity, type and version can be read, and that is
   *     not the choice
   */
  Received read(ConsumerRecord<?, ?> record) {
    Delivered delivered = new Delivered(record, origin == null ? record.topic() : origin);
    long bytes = bytes(record);
    if (bytes > choices.recordBytesMax()) {
      throw delivered.unreadable(
          "has " + bytes + " bytes, but the limit is " + choices.recordBytesMax());
    }
    ReceivedHeaders headers = new ReceivedHeaders(delivered, ReservedHeaders.NONE);
    for (Header header : record.headers()) {
      headers.add(header.key(), header.value());
    }
    headers.set(Message.TOMBSTONE_HEADER, record.serializedValueSize() < 0 ? "true" : null);
    try {
      return events.read(delivered, headers);
    } catch (InvalidMessageException e) {
      if (choices.foreign() == ForeignRecords.STOP) {
        throw e;
      }
      return byOffset(delivered, headers);
    }
  }

  private static Received byOffset(Delivered delivered, ReceivedHeaders headers) {
    ConsumerRecord<?, ?> record = delivered.record();
    // With the time, since a topic that was deleted and made again hands out its offsets again.
    String id =
        record.topic()
            + "-"
            + record.partition()
            + "-"
            + record.offset()
            + "-"
            + record.timestamp();
    Instant time = Instant.ofEpochMilli(record.timestamp());
    return new Received(
        SOURCE_BY_OFFSET,
        id,
        record.topic(),
        delivered.key(),
        record.topic(),
        1,
        delivered.payload(),
        headers.texts(),
        MessageLimits.allows(time) ? time : null,
        delivered.origin() + ORIGIN_BY_OFFSET,
        delivered.origin()); // not that of the origin above, or one key would have two orders
  }

  /** A record as a consumer of Kafka delivered it, whatever it has made of key and value. */
  private record Delivered(ConsumerRecord<?, ?> record, String origin) implements TransportMessage {

    @Override
    public String place() {
      return "record " + record.topic() + "-" + record.partition() + "@" + record.offset();
    }

    @Override
    public String topic() {
      return record.topic();
    }

    @Override
    public @Nullable String key() {
      Object key = record.key();
      return key instanceof byte[] bytes
          ? ReceivedHeaders.text(bytes)
          : key == null ? null : String.valueOf(key);
    }

    @Override
    public byte[] payload() {
      return record.value() instanceof byte[] bytes ? bytes : NOTHING;
    }
  }
}
