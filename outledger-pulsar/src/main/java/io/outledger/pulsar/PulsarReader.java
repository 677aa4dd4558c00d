// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.TransportMessage;
import io.outledger.inbox.Received;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of what a subscription delivers. Strangers may have written it, so nothing is
 * taken for granted. Thread-safe.
 */
final class PulsarReader {

  private static final byte[] NOTHING = new byte[0];

  /**
   * Where a message lies in Pulsar.
   *
   * @param topic its topic, or partition of one
   * @param id its ledger and entry there
   */
  record Place(String topic, MessageId id) {

    static Place of(Message<byte[]> message) {
      return new Place(message.getTopicName(), message.getMessageId());
    }

    @Override
    public String toString() {
      return "message " + topic + "@" + id;
    }
  }

  private final CloudEventReader events = PulsarBinding.reader();
  private final String topic;
  private final String origin;

  /**
   * Creates a reader.
   *
   * @param origin what to call the place that messages come from; null for the topic
   */
  PulsarReader(String topic, @Nullable String origin) {
    this.topic = topic;
    this.origin = origin == null ? topic : origin;
  }

  /**
   * Reads a message.
   *
   * @throws InvalidMessageException {@code OUT-014} if it has too many properties, or is no
   *     CloudEvent of binary mode whose identity, type and version can be read
   */
  Received read(Message<byte[]> message) {
    String problem = message.getProperty(ReadableEntry.PROBLEM);
    if (problem != null) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          Place.of(message) + " cannot be read by Pulsar's client: " + Printable.text(problem));
    }
    Delivered delivered = new Delivered(message, topic, origin);
    ReceivedHeaders headers = new ReceivedHeaders(delivered, PulsarBinding.RESERVED);
    message.getProperties().forEach(headers::addText);
    if (message.getData() == null) {
      headers.set(io.outledger.Message.TOMBSTONE_HEADER, "true");
    }
    return events.read(delivered, headers);
  }

  /** Returns the payload; empty where there is none. */
  static byte[] payload(Message<byte[]> message) {
    byte[] data = message.getData();
    return data == null ? NOTHING : data;
  }

  /** A message as Pulsar's client delivered it. */
  private record Delivered(Message<byte[]> message, String topic, String origin)
      implements TransportMessage {

    @Override
    public String place() {
      return Place.of(message).toString();
    }

    /** By which a key-shared subscription shares messages out. */
    @Override
    public @Nullable String key() {
      if (message.hasOrderingKey()) {
        return ReceivedHeaders.text(message.getOrderingKey());
      }
      return message.hasKey() ? ReceivedHeaders.text(message.getKeyBytes()) : null;
    }

    @Override
    public byte[] payload() {
      return PulsarReader.payload(message);
    }
  }
}
