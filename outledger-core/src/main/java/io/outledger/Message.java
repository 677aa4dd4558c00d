// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import io.outledger.time.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An immutable message: it records that something happened in a transaction and is to be published.
 *
 * <p>Thread-safe. For performance, the payload array is never copied: neither the sender nor the
 * receiver may modify it.
 *
 * @param id the identity of the message, the same at each delivery
 * @param topic the topic to publish to; 1 to {@value MessageLimits#TOPIC_CHARS_MAX} characters
 * @param key the ordering key, usually the aggregate's id; messages with the same key are published
 *     in order; null if the message needs no order
 * @param type the logical name of its type, never a class name
 * @param version the version of its type, 1 or more
 * @param payload its bytes, sent unchanged; may be empty
 * @param headers additional text values by name, sorted by name; may be empty
 * @param time when it was created, to the microsecond; in the years 1 to 9999
 */
public record Message(
    UUID id,
    String topic,
    @Nullable String key,
    String type,
    int version,
    @SuppressWarnings("ArrayRecordComponent") byte[] payload,
    Map<String, String> headers,
    Instant time) {

  /** Starts building a message with a topic and a type. */
  public static Builder to(String topic, String type) {
    return new Builder(topic, type);
  }

  /** Returns a builder with the fields of this message, for example for a relay's transforms. */
  public Builder copy() {
    Builder builder = new Builder(topic, type).id(id).version(version).payload(payload).time(time);
    builder.key = key;
    builder.headers.putAll(headers);
    return builder;
  }

  /**
   * Returns id, topic, type and version; omits payload, key and headers, which may be personal
   * data.
   */
  @Override
  public String toString() {
    return "Message["
        + id
        + " "
        + Printable.value(topic)
        + " "
        + Printable.value(type)
        + " v"
        + version
        + "]";
  }

  /** Builds a {@link Message}. Not thread-safe. */
  public static final class Builder {

    private final String topic;
    private final String type;
    private final Map<String, String> headers = new TreeMap<>();
    private @Nullable UUID id;
    private @Nullable String key;
    private int version = 1;
    private byte[] payload = new byte[0];
    private @Nullable Instant time;

    private static <T> T given(String what, @Nullable T value) {
      if (value == null) {
        throw new InvalidMessageException(
            ErrorCode.INVALID_MESSAGE, "the message's " + what + " must not be null");
      }
      return value;
    }

    private Builder(String topic, String type) {
      this.topic = given("topic", topic);
      this.type = given("type", type);
    }

    /** Sets the id; the default is a new id. Set it if a retry must create the same message. */
    public Builder id(UUID value) {
      id = given("id", value);
      return this;
    }

    /** Sets the ordering key, which must not be empty; the default is no key. */
    public Builder key(String value) {
      key = given("key", value);
      return this;
    }

    /** Sets the type's version, 1 or more; the default is 1. */
    public Builder version(int value) {
      version = value;
      return this;
    }

    /** Sets the payload; the default is empty. The array is not copied. */
    public Builder payload(byte[] value) {
      payload = given("payload", value);
      return this;
    }

    /** Adds a header, or replaces the header of the same name. */
    public Builder header(String name, String value) {
      headers.put(given("header name", name), given("header value", value));
      return this;
    }

    /** Sets the time, truncated to microseconds; the default is now. */
    public Builder time(Instant value) {
      time = given("time", value);
      return this;
    }

    /**
     * Builds the message.
     *
     * @throws InvalidMessageException {@code OUT-014} if a field violates {@link MessageLimits}
     */
    public Message build() {
      Message message =
          new Message(
              id == null ? MessageIds.system().next() : id,
              topic,
              key,
              type,
              version,
              payload,
              java.util.Collections.unmodifiableMap(new TreeMap<>(headers)),
              (time == null ? TimeSource.system().now() : time).truncatedTo(ChronoUnit.MICROS));
      MessageLimits.check(message);
      return message;
    }
  }
}
