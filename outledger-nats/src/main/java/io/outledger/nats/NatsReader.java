// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.cloudevents.PercentEncoding;
import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.TransportMessage;
import io.outledger.inbox.Received;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of what a stream delivers. Strangers may have written it, so nothing is taken for
 * granted. Thread-safe.
 */
final class NatsReader {

  private static final byte[] NOTHING = new byte[0];

  /**
   * Where a message lies in JetStream.
   *
   * @param stream the stream's name
   * @param sequence the message's number in the stream
   */
  record Place(String stream, long sequence) {

    static Place of(Message message) {
      return new Place(message.metaData().getStream(), message.metaData().streamSequence());
    }

    @Override
    public String toString() {
      return "message " + stream + "@" + sequence;
    }
  }

  private final CloudEventReader events = NatsBinding.reader();

  /**
   * Reads a message.
   *
   * @param origin what to call the place it came from; null for its subject
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if it has too many headers, or is
   *     no CloudEvent of binary mode whose identity, type and version can be read
   */
  Received read(Message message, @Nullable String origin) {
    Delivered delivered = new Delivered(message, origin);
    ReceivedHeaders headers = new ReceivedHeaders(delivered, NatsBinding.RESERVED);
    Headers given = message.getHeaders();
    if (given != null) {
      for (Map.Entry<String, List<String>> header : given.entrySet()) {
        String name = name(header.getKey());
        header.getValue().forEach(value -> headers.add(name, decoded(value)));
      }
    }
    return events.read(delivered, headers);
  }

  /** The binding's names ignore case. */
  private static String name(String given) {
    String prefix = NatsBinding.PREFIX;
    if (!given.regionMatches(true, 0, prefix, 0, prefix.length())) {
      return given;
    }
    String lower = given.toLowerCase(Locale.ROOT);
    return lower.equals(NatsBinding.CONTENT_TYPE) ? CloudEvents.CONTENT_TYPE : lower;
  }

  private static byte[] decoded(String value) {
    return PercentEncoding.decode(value.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A message as NATS's client delivered it. */
  private record Delivered(Message message, @Nullable String named) implements TransportMessage {

    @Override
    public String place() {
      return Place.of(message).toString();
    }

    @Override
    public String topic() {
      return message.getSubject();
    }

    @Override
    public @Nullable String key() {
      return null;
    }

    @Override
    public String origin() {
      return named == null ? message.getSubject() : named;
    }

    /** Of the stream, which keeps one order for all its subjects. */
    @Override
    public String keySpace() {
      return named == null ? Place.of(message).stream() : named;
    }

    @Override
    public byte[] payload() {
      byte[] data = message.getData();
      return data == null ? NOTHING : data;
    }
  }
}
