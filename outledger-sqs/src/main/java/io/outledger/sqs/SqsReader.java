// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.ReservedHeaders;
import io.outledger.cloudevents.TransportMessage;
import io.outledger.inbox.Received;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Makes messages of what a queue delivers. Strangers may have written it, so nothing is taken for
 * granted. Thread-safe.
 */
final class SqsReader {

  private static final byte[] NOTHING = new byte[0];

  /**
   * Where a message lies.
   *
   * @param queue the queue's name
   * @param id the id that SQS gave the message
   */
  record Place(String queue, String id) {
    @Override
    public String toString() {
      return "message " + id + " of queue " + queue;
    }
  }

  private final CloudEventReader events = SqsBinding.reader();

  /**
   * Reads a message.
   *
   * @param origin what to call the place it came from; null for the queue's name
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if it has too many headers, is not
   *     a CloudEvent of binary mode whose identity, type and version can be read, or its payload is
   *     encoded in a way that is not known here
   */
  Received read(Place place, Message message, @Nullable String origin) {
    byte[] payload = payload(message);
    Delivered delivered =
        new Delivered(
            place, origin == null ? place.queue() : origin, payload == null ? NOTHING : payload);
    ReceivedHeaders headers = new ReceivedHeaders(delivered, ReservedHeaders.NONE);
    for (Map.Entry<String, MessageAttributeValue> each : message.messageAttributes().entrySet()) {
      add(headers, each.getKey(), each.getValue());
    }
    if (payload == null) {
      throw delivered.unreadable("has a payload in another encoding than it says");
    }
    return events.read(delivered, headers);
  }

  private static void add(ReceivedHeaders headers, String name, MessageAttributeValue value) {
    String text = value.stringValue();
    if (text == null && value.binaryValue() != null) {
      headers.add(name, value.binaryValue().asByteArrayUnsafe());
    } else if (name.equals(SqsBinding.REST) && text != null) {
      SqsBinding.addRest(text, headers);
    } else if (!name.equals(SqsBinding.ENCODING)) {
      headers.addText(name, text);
    }
  }

  /** Returns the payload of a message, as far as it can be had. */
  static byte[] bytes(Message message) {
    byte[] payload = payload(message);
    return payload == null ? String.valueOf(message.body()).getBytes(UTF_8) : payload;
  }

  private static byte @Nullable [] payload(Message message) {
    MessageAttributeValue encoding = message.messageAttributes().get(SqsBinding.ENCODING);
    String body = message.body() == null ? "" : message.body();
    return SqsBinding.payload(body, encoding == null ? null : encoding.stringValue());
  }

  /** A message apart from its attributes. */
  private record Delivered(
      Place at, String origin, @SuppressWarnings("ArrayRecordComponent") byte[] payload)
      implements TransportMessage {

    @Override
    public String place() {
      return at.toString();
    }

    @Override
    public String topic() {
      return at.queue();
    }

    @Override
    public @Nullable String key() {
      return null;
    }
  }
}
