// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.cloudevents.ReservedHeaders;
import io.outledger.store.LedgerMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * From messages to records: bytes for the key, the value and the headers, which are those of
 * CloudEvents' binding for Kafka, as the Kafka publisher writes them. Used by one thread.
 */
final class MessageRecord {

  private static final String PREFIX = "ce_";
  // What a batch and a record take besides, and a header's lengths: more than they ever are.
  private static final int RECORD_BYTES = 160;
  private static final int HEADER_BYTES = 10;

  private final TopicName topics;
  private final int bytesMax;
  private final CloudEventWriter<Written> headers;

  /** Those of the message before have it, too, most often. */
  private Named named = new Named("", "", "", false);

  /** A topic of Kafka, and for which topic and type of messages. */
  private record Named(String topic, String type, String name, boolean isValid) {

    boolean isOf(Message message) {
      return topic.equals(message.topic()) && type.equals(message.type());
    }
  }

  /** A header, as Connect takes it. */
  record Written(String key, @SuppressWarnings("ArrayRecordComponent") byte[] value)
      implements Header {

    @Override
    public Schema schema() {
      return Schema.BYTES_SCHEMA;
    }

    @Override
    public Header with(Schema schema, Object other) {
      return new ConnectHeaders().add(key, other, schema).lastWithName(key);
    }

    @Override
    public Header rename(String other) {
      return new Written(other, value);
    }
  }

  MessageRecord(TopicName topics, String source, int bytesMax) {
    this.topics = topics;
    this.bytesMax = bytesMax;
    this.headers = new CloudEventWriter<>(PREFIX, source, ReservedHeaders.NONE, Written::new);
  }

  /**
   * A message that can be sent, or the reason why not.
   *
   * @param topic the topic of Kafka
   * @param key null for none
   * @param refused why it cannot be sent; null where it can
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Form(
      LedgerMessage of,
      String topic,
      byte @Nullable [] key,
      List<Written> headers,
      @Nullable String refused) {

    private static Form refused(LedgerMessage read, String topic, String why) {
      return new Form(read, topic, null, List.of(), why);
    }

    /** Returns the record, with the source offset that it moves. */
    SourceRecord at(Map<String, String> partition, Map<String, Object> offset) {
      ConnectHeaders all = new ConnectHeaders();
      headers.forEach(all::add);
      return new SentRecord(
          new SlotOffsets.Moved(partition, offset), topic, key, value(of.message()), all);
    }
  }

  /** Returns the form of a message, or why it has none. */
  Form of(LedgerMessage read) {
    Message message = read.message();
    Named to = named(message);
    String topic = to.name();
    if (read.unreadable() != null) {
      return Form.refused(read, topic, read.unreadable());
    }
    if (!to.isValid()) {
      return Form.refused(read, topic, "Kafka allows no topic named '" + topic + "'");
    }
    List<Written> written;
    try {
      written = headers.write(read.position(), message);
    } catch (InvalidMessageException e) {
      return Form.refused(read, topic, String.valueOf(e.getMessage()));
    }
    byte[] key = key(message);
    return new Form(read, topic, key, written, tooLarge(message, key, written).orElse(null));
  }

  private Named named(Message message) {
    if (!named.isOf(message)) {
      String name = topics.of(message);
      named = new Named(message.topic(), message.type(), name, TopicName.isValid(name));
    }
    return named;
  }

  private Optional<String> tooLarge(Message message, byte @Nullable [] key, List<Written> written) {
    long bytes = (long) RECORD_BYTES + (key == null ? 0 : key.length) + message.payload().length;
    for (Written header : written) {
      bytes += HEADER_BYTES + header.key().length() + header.value().length;
    }
    return bytes <= bytesMax
        ? Optional.empty()
        : Optional.of(
            "the record has "
                + bytes
                + " bytes, more than "
                + ConnectorSettings.RECORD_BYTES
                + ", which is "
                + bytesMax);
  }

  private static byte @Nullable [] key(Message message) {
    String key = message.key();
    return key == null ? null : key.getBytes(UTF_8);
  }

  private static byte @Nullable [] value(Message message) {
    return message.isTombstone() ? null : message.payload();
  }
}
