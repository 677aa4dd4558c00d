// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.codec.DecoderState;
import org.apache.qpid.protonj2.codec.SectionEncoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.jspecify.annotations.Nullable;

/**
 * CloudEvents' protocol binding for AMQP, binary mode: attributes are application properties with
 * the prefix {@code cloudEvents_}, and the payload is a section of data. The prefix with a colon,
 * which the binding allows as well, is read too. Not thread-safe.
 */
final class AmqpBinding {

  private static final String PREFIX = "cloudEvents_";
  private static final String COLON_PREFIX = "cloudEvents:";

  /** What ActiveMQ reads out of properties, by which it drops or delays, and other brokers' own. */
  private static final ReservedHeaders RESERVED =
      ReservedHeaders.in("AMQP brokers", "_AMQ_*", "__AMQ_*", "_HQ_*", "AMQ_SCHEDULED_*", "JMS*");

  private static final Symbol SCHEDULED = Symbol.valueOf("x-opt-scheduled-enqueue-time");
  private static final Symbol PARTITION_KEY = Symbol.valueOf("x-opt-partition-key");

  /** What a message takes beside its payload, mostly. */
  private static final int OVERHEAD_BYTES = 1_024;

  private record Property(String name, String value) {}

  private final AmqpPublisher.Choices choices;
  private final CloudEventWriter<Property> writer;
  private final SectionEncoder encoder = new SectionEncoder(CodecFactory.getDefaultEncoder());

  AmqpBinding(AmqpPublisher.Choices choices) {
    this.choices = choices;
    this.writer =
        new CloudEventWriter<>(
            PREFIX,
            choices.source(),
            RESERVED,
            (name, utf8) -> new Property(name, new String(utf8, UTF_8)));
  }

  /**
   * Writes a message.
   *
   * @throws InvalidMessageException {@code OUT-014} if AMQP or CloudEvents cannot carry it
   */
  ProtonBuffer write(long position, String address, Message message) {
    check("the address '" + Printable.value(address) + "'", address);
    String group = choices.marks().grouping().groupOf(message.key());
    Properties properties =
        new Properties().setMessageId(message.id().toString()).setTo(address).setGroupId(group);
    Map<String, Object> texts = new HashMap<>();
    for (Property property : writer.write(position, message)) {
      if (property.name().equals(CloudEvents.CONTENT_TYPE)) {
        check("the content type", property.value());
        properties.setContentType(property.value());
      } else {
        texts.put(property.name(), property.value());
      }
    }
    ProtonBuffer written =
        ProtonByteArrayBufferAllocator.allocator()
            .allocate(message.payload().length + OVERHEAD_BYTES);
    encoder.write(written, new Header().setDurable(true));
    Map<Symbol, Object> annotations = annotations(message, group);
    if (!annotations.isEmpty()) {
      encoder.write(written, new MessageAnnotations(annotations));
    }
    encoder.write(written, properties);
    encoder.write(written, new ApplicationProperties(texts));
    encoder.write(written, new Data(message.payload()));
    return written;
  }

  private static void check(String what, String text) {
    if (text.isBlank() || text.chars().anyMatch(c -> c < ' ' || c >= 0x7f)) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          what + " must be printable ASCII to be carried by AMQP, and not blank");
    }
  }

  private Map<Symbol, Object> annotations(Message message, @Nullable String group) {
    Map<Symbol, Object> annotations = new HashMap<>();
    String key = group == null ? message.key() : group;
    if (choices.marks().isPartitioned() && key != null) {
      annotations.put(PARTITION_KEY, key);
    }
    Instant time = choices.marks().schedule().apply(message);
    if (time != null) {
      Instant whole = time.plusNanos(999_999); // of which a date keeps the milliseconds
      annotations.put(SCHEDULED, Date.from(whole));
    }
    return annotations;
  }

  /** Reads what others wrote, and takes nothing for granted. For one thread. */
  static final class Reader {

    private static final Set<String> TIMES = Set.of(PREFIX + "time", COLON_PREFIX + "time");

    private final CloudEventReader usual = new CloudEventReader(PREFIX);
    private final CloudEventReader colon = new CloudEventReader(COLON_PREFIX);
    private final Decoder decoder = CodecFactory.getDefaultDecoder();

    /**
     * Reads a message.
     *
     * @param place names it for people
     * @param from the address, and what to call it as a message's origin
     * @param encoded all of its sections
     * @throws InvalidMessageException {@code OUT-014} if it cannot be read, has neither bytes nor
     *     text, or is not a CloudEvent of binary mode whose identity, type and version can be read
     */
    Received read(String place, From from, byte[] encoded) {
      Parts parts = new Parts();
      Delivered unread = new Delivered(place, from, new byte[0], null);
      try {
        parts.readAll(decoder, ProtonByteArrayBufferAllocator.wrapped(encoded));
      } catch (RuntimeException | StackOverflowError e) { // of the decoder, for a stranger's bytes
        throw unread.unreadable("cannot be decoded: " + e.getClass().getSimpleName());
      }
      byte[] body = parts.body;
      if (body == null) {
        throw unread.unreadable("has neither bytes nor text for a body");
      }
      Delivered delivered = new Delivered(place, from, body, parts.group);
      ReceivedHeaders headers = new ReceivedHeaders(delivered, RESERVED);
      parts.texts.forEach((name, value) -> add(headers, name, value));
      headers.set(CloudEvents.CONTENT_TYPE, parts.contentType);
      boolean hasColon =
          parts.texts.containsKey(COLON_PREFIX + "specversion")
              && !parts.texts.containsKey(PREFIX + "specversion");
      return (hasColon ? colon : usual).read(delivered, headers);
    }

    /** Lists and maps have no text and are left out. */
    private static void add(ReceivedHeaders headers, String name, @Nullable Object value) {
      if (value instanceof Binary bytes) {
        headers.add(name, bytes.asByteArray());
      } else if (value instanceof Long millis && TIMES.contains(name)) { // AMQP's own timestamp
        headers.addText(name, Instant.ofEpochMilli(millis).toString());
      } else if (value instanceof Map || value instanceof Iterable) {
        headers.addText(name, null);
      } else {
        headers.addText(name, value == null ? null : value.toString());
      }
    }
  }

  /** The sections of a message that mean something to us. */
  private static final class Parts {
    private Map<String, Object> texts = Map.of();
    private @Nullable String contentType;
    private @Nullable String group;
    private byte @Nullable [] body;

    void readAll(Decoder decoder, ProtonBuffer encoded) {
      DecoderState state = decoder.newDecoderState();
      ByteArrayOutputStream data = new ByteArrayOutputStream();
      boolean hasData = false;
      while (encoded.isReadable()) {
        Object section = decoder.readObject(encoded, state);
        if (section instanceof Data more) {
          data.writeBytes(more.getValue());
          hasData = true;
        } else if (section instanceof AmqpValue<?> value) {
          body = bytes(value.getValue());
        } else if (section instanceof ApplicationProperties given) {
          texts = given.getValue();
        } else if (section instanceof Properties given) {
          contentType = given.getContentType();
          group = given.getGroupId();
        }
      }
      if (hasData) {
        body = data.toByteArray();
      }
    }

    private static byte @Nullable [] bytes(@Nullable Object value) {
      if (value instanceof Binary binary) {
        return binary.asByteArray();
      }
      return value instanceof String text ? text.getBytes(UTF_8) : null;
    }
  }

  static InvalidMessageException tooLarge(String place, int bytesMax) {
    return new InvalidMessageException(
        ErrorCode.INVALID_MESSAGE, place + " has more than " + bytesMax + " bytes");
  }

  /**
   * Where a receiver's messages come from.
   *
   * @param address the broker's name for it
   * @param origin the part of a message's identity that no sender chooses
   */
  record From(String address, String origin) {}

  /** A message apart from its properties. */
  private record Delivered(
      String place,
      From from,
      @SuppressWarnings("ArrayRecordComponent") byte[] payload,
      @Nullable String key)
      implements TransportMessage {

    @Override
    public String topic() {
      return from.address();
    }

    @Override
    public String origin() {
      return from.origin();
    }
  }
}
