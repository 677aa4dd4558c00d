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
 * An immutable record of something that happened, on its way from a transaction to the world.
 *
 * <p>Thread-safe. The payload's array is not copied, on the way in or out, because every message
 * would pay for it: whoever hands it over or receives it must not change it.
 *
 * @param id the message's identity, the same at every delivery
 * @param topic where it belongs; 1 to {@value MessageLimits#TOPIC_CHARS_MAX} characters
 * @param key the ordering key, usually the aggregate's id; messages of one key are published in
 *     order; null for a message that needs no order
 * @param type the logical name of its type, never a class name
 * @param version the version of its type, 1 or more
 * @param payload its bytes, possibly none, passed on unchanged
 * @param headers further text by name, sorted by name; possibly empty
 * @param time when it was made, to the microsecond; in the years 1 to 9999
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

  /** Starts a message of a topic and a type. */
  public static Builder to(String topic, String type) {
    return new Builder(topic, type);
  }

  /** Returns a copy of this message to change; for a relay's transforms. */
  public Builder copy() {
    Builder builder = new Builder(topic, type).id(id).version(version).payload(payload).time(time);
    builder.key = key;
    builder.headers.putAll(headers);
    return builder;
  }

  /** Names the message, printably, without payload, key or headers: they may be personal data. */
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

    /** Sets the id; the default is a new one. Give it where a retry must make the same message. */
    public Builder id(UUID value) {
      id = given("id", value);
      return this;
    }

    /** Sets the ordering key, not empty; the default is none. */
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

    /** Adds a header, replacing one of the same name. */
    public Builder header(String name, String value) {
      headers.put(given("header name", name), given("header value", value));
      return this;
    }

    /** Sets the time; the default is now. Kept to the microsecond. */
    public Builder time(Instant value) {
      time = given("time", value);
      return this;
    }

    /**
     * Builds the message.
     *
     * @throws InvalidMessageException {@code OUT-014} where a field breaks {@link MessageLimits}
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
