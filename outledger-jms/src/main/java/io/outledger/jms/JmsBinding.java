// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

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
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * CloudEvents as messages of Jakarta Messaging. CloudEvents has no binding of its own for it, so
 * attributes have the names that its AMQP binding gives them where a name must be an identifier
 * ({@code cloudEvents_id}): that is what Jakarta Messaging clients of AMQP brokers see. A header's
 * name that is no identifier is written as Apache Camel and others do: {@code -} as {@code
 * _HYPHEN_} and {@code .} as {@code _DOT_}. Not thread-safe.
 */
final class JmsBinding {

  static final String PREFIX = "cloudEvents_";
  static final int GROUPS = 256;

  private static final String CONTENT_TYPE = PREFIX + "datacontenttype";
  private static final String HYPHEN = "_HYPHEN_";
  private static final String DOT = "_DOT_";
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
  private static final Pattern DESTINATION = Pattern.compile("[\\p{L}\\p{N}._/$-]+");

  /** What Jakarta Messaging itself names so, and what ActiveMQ drops or delays a message by. */
  private static final ReservedHeaders RESERVED =
      ReservedHeaders.in(
          "Jakarta Messaging", "JMS*", "_AMQ_*", "__AMQ_*", "_HQ_*", "AMQ_SCHEDULED_*");

  /** The words of selectors, which no property may have for a name. */
  private static final Set<String> WORDS =
      Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

  private final CloudEventWriter<Property> writer;
  private final int bytesMax;

  private record Property(String name, String value) {}

  JmsBinding(String source, int bytesMax) {
    this.writer =
        new CloudEventWriter<>(
            PREFIX,
            source,
            RESERVED,
            (name, utf8) -> new Property(property(name), new String(utf8, UTF_8)));
    this.bytesMax = bytesMax;
  }

  /**
   * Makes a message.
   *
   * @throws InvalidMessageException {@code OUT-013} if its payload is too large, {@code OUT-014} if
   *     it cannot be carried
   */
  jakarta.jms.Message write(Session session, long position, Message message) throws JMSException {
    if (!DESTINATION.matcher(message.topic()).matches()) {
      throw invalid(
          "the topic '"
              + Printable.value(message.topic())
              + "' cannot name a queue or topic: brokers read other characters than letters,"
              + " digits and . _ / $ - as wildcards, lists or options; map it with a transform");
    }
    if (message.payload().length > bytesMax) {
      throw new InvalidMessageException(
          ErrorCode.PAYLOAD_TOO_LARGE,
          "the payload has "
              + message.payload().length
              + " bytes, but payloadBytesMax is "
              + bytesMax);
    }
    List<Property> properties = writer.write(position, message);
    BytesMessage made = session.createBytesMessage();
    made.writeBytes(message.payload());
    made.setJMSType(message.type());
    for (Property property : properties) {
      made.setStringProperty(property.name(), property.value());
    }
    String key = message.key();
    if (key != null) {
      made.setStringProperty("JMSXGroupID", "outledger-" + Math.floorMod(spread(key), GROUPS));
    }
    return made;
  }

  /** The same in every version of Java: a key must not change its consumer by an update. */
  private static int spread(String key) {
    int hash = 0;
    for (int i = 0; i < key.length(); i++) {
      hash = 31 * hash + key.charAt(i);
    }
    return hash ^ hash >>> 16;
  }

  private static String property(String name) {
    if (name.equals(CloudEvents.CONTENT_TYPE)) {
      return CONTENT_TYPE;
    }
    String written = name.replace("-", HYPHEN).replace(".", DOT);
    boolean isFree =
        IDENTIFIER.matcher(written).matches() && !WORDS.contains(written.toUpperCase(Locale.ROOT));
    if (!isFree || name.contains(HYPHEN) || name.contains(DOT)) {
      throw invalid(
          "the header '"
              + name
              + "' cannot be a property of Jakarta Messaging: use letters, digits, _, $, - and .,"
              + " no digit at the beginning, and no word of selectors such as AND");
    }
    return written;
  }

  private static String header(String property) {
    return property.equals(CONTENT_TYPE)
        ? CloudEvents.CONTENT_TYPE
        : property.replace(HYPHEN, "-").replace(DOT, ".");
  }

  /**
   * Reads a message.
   *
   * @param place names it for people
   * @param from the name of the queue or topic
   * @param bytesMax the most bytes of a payload
   * @throws InvalidMessageException {@code OUT-014} if it is no CloudEvent, too large, or neither
   *     bytes nor text
   * @throws JMSException if the broker's client cannot read it
   */
  static Received read(String place, Origin from, jakarta.jms.Message message, int bytesMax)
      throws JMSException {
    Delivered delivered = new Delivered(place, from, payload(message, bytesMax));
    ReceivedHeaders headers = new ReceivedHeaders(delivered, RESERVED);
    Enumeration<?> names = message.getPropertyNames();
    while (names.hasMoreElements()) {
      String property = String.valueOf(names.nextElement());
      Object value = message.getObjectProperty(property);
      headers.addText(header(property), value == null ? null : value.toString());
    }
    if (delivered.bytes() == null) {
      throw delivered.unreadable("has neither bytes nor text, or more bytes than " + bytesMax);
    }
    return new CloudEventReader(PREFIX).read(delivered, headers);
  }

  /** Returns a payload; null where it is neither bytes nor text, or larger. */
  static byte @Nullable [] payload(jakarta.jms.Message message, int bytesMax) throws JMSException {
    if (message instanceof TextMessage text) {
      String said = text.getText();
      byte[] utf8 = said == null ? new byte[0] : said.getBytes(UTF_8);
      return utf8.length > bytesMax ? null : utf8;
    }
    if (message instanceof BytesMessage bytes && bytes.getBodyLength() <= bytesMax) {
      byte[] all = new byte[(int) bytes.getBodyLength()];
      bytes.reset();
      bytes.readBytes(all);
      return all;
    }
    return null;
  }

  /**
   * Where a receiver's messages come from.
   *
   * @param topic the queue's or topic's name
   * @param identity the part of a message's identity that no sender chooses
   */
  record Origin(String topic, String identity) {}

  /** A message apart from its properties. */
  private record Delivered(
      String place, Origin from, @SuppressWarnings("ArrayRecordComponent") byte @Nullable [] bytes)
      implements TransportMessage {

    @Override
    public String topic() {
      return from.topic();
    }

    @Override
    public @Nullable String key() {
      return null;
    }

    @Override
    public byte[] payload() {
      return bytes == null ? new byte[0] : bytes;
    }

    @Override
    public String origin() {
      return from.identity();
    }
  }

  private static InvalidMessageException invalid(String text) {
    return new InvalidMessageException(ErrorCode.INVALID_MESSAGE, text);
  }
}
