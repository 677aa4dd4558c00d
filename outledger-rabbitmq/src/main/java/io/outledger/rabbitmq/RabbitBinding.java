// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.LongStringHelper;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.ReservedHeaders;
import io.outledger.cloudevents.TransportMessage;
import io.outledger.inbox.Received;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CloudEvents' protocol binding for AMQP, with the headers of AMQP 0-9-1 in the place of
 * application properties: RabbitMQ shows the ones as the others. Attributes have the prefix {@code
 * cloudEvents_}; that with a colon, which the binding allows as well, is read too.
 */
final class RabbitBinding {

  private static final String PREFIX = "cloudEvents_";
  private static final String COLON_PREFIX = "cloudEvents:";
  private static final String SEQUENCE = PREFIX + "sequence";
  private static final int PERSISTENT = 2;

  /** Further routing keys, what a broker counts, and what its plugins delay, drop or find by. */
  private static final ReservedHeaders RESERVED =
      ReservedHeaders.in(
          "RabbitMQ",
          "CC",
          "BCC",
          "x-death",
          "x-delivery-count",
          "x-acquired-count",
          "x-delay",
          "x-deduplication-header",
          "x-cache-ttl",
          "x-received-from",
          "x-recent-history-no-store",
          "x-shovelled*",
          "x-stream-*");

  /** What a frame needs besides the headers themselves, generously. */
  private static final int FRAME_REST_BYTES = 1_024;

  private record Header(String name, @SuppressWarnings("ArrayRecordComponent") byte[] value) {}

  private final CloudEventWriter<Header> writer;

  /** Makes a binding for one thread. */
  RabbitBinding(String source) {
    this.writer = new CloudEventWriter<>(PREFIX, source, RESERVED, Header::new);
  }

  /**
   * Returns a message's properties.
   *
   * @param frameBytesMax the most bytes of a frame, which all headers have to fit into; 0 for any
   * @throws InvalidMessageException {@code OUT-014} if AMQP or CloudEvents cannot carry them
   */
  BasicProperties properties(long position, Message message, int frameBytesMax) {
    Map<String, Object> headers = new HashMap<>();
    String contentType = null;
    long bytes = FRAME_REST_BYTES;
    for (Header header : writer.write(position, message)) {
      bytes += header.name().length() + header.value().length + 6L;
      if (header.name().equals(CloudEvents.CONTENT_TYPE)) {
        contentType = RabbitRoute.checkShort("content type", new String(header.value(), UTF_8));
      } else {
        headers.put(header.name(), LongStringHelper.asLongString(header.value()));
      }
    }
    if (frameBytesMax > 0 && bytes > frameBytesMax) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the headers have "
              + bytes
              + " bytes, but the broker's frame_max is "
              + frameBytesMax
              + "; raise it, or send less in headers");
    }
    return new BasicProperties.Builder()
        .deliveryMode(PERSISTENT)
        .messageId(message.id().toString())
        .contentType(contentType)
        .headers(headers)
        .build();
  }

  /** Returns the position that stands in the properties of a message of ours; -1 without one. */
  static long position(BasicProperties properties) {
    Map<String, Object> headers = properties.getHeaders();
    Object sequence = headers == null ? null : headers.get(SEQUENCE);
    return sequence == null ? -1 : Long.parseLong(sequence.toString());
  }

  /** Reads deliveries. Thread-safe. */
  static final class Reader {

    private final CloudEventReader usual = new CloudEventReader(PREFIX);
    private final CloudEventReader colon = new CloudEventReader(COLON_PREFIX);

    /**
     * Reads a delivery.
     *
     * @throws InvalidMessageException {@code OUT-014} if it is not a CloudEvent of binary mode with
     *     an identity, a type and a version that can be read
     */
    Received read(TransportMessage message, BasicProperties properties) {
      ReceivedHeaders headers = new ReceivedHeaders(message, RESERVED);
      Map<String, Object> given =
          properties.getHeaders() == null ? Map.of() : properties.getHeaders();
      Object problem = given.get(ReadableFrames.PROBLEM);
      if (problem != null) {
        throw new InvalidMessageException(
            ErrorCode.INVALID_MESSAGE,
            message.place() + " cannot be read by RabbitMQ's client: " + Printable.text(problem));
      }
      given.forEach((name, value) -> add(headers, name, value));
      headers.set(CloudEvents.CONTENT_TYPE, properties.getContentType());
      boolean hasColon =
          given.containsKey(COLON_PREFIX + "specversion")
              && !given.containsKey(PREFIX + "specversion");
      return (hasColon ? colon : usual).read(message, headers);
    }

    /** Lists and tables, such as those of dead-lettering, have no text and are left out. */
    private static void add(ReceivedHeaders headers, String name, @Nullable Object value) {
      if (value instanceof LongString text) {
        headers.add(name, text.getBytes());
      } else if (value instanceof byte[] bytes) {
        headers.add(name, bytes);
      } else if (value instanceof Date time) {
        headers.addText(name, time.toInstant().toString());
      } else if (value instanceof String || value instanceof Number || value instanceof Boolean) {
        headers.addText(name, value.toString());
      } else {
        headers.addText(name, null);
      }
    }
  }
}
