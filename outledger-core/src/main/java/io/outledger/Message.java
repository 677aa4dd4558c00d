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

  /**
   * The header of a tombstone, with the value {@code true}: a message that says that there is
   * nothing more to say of its key. Kafka and Pulsar get it as a message without a value, by which
   * a compacted topic forgets the key; other destinations get this header and an empty payload. A
   * message that is received without a value has it, too.
   */
  public static final String TOMBSTONE_HEADER = "tombstone";

  /** Returns whether this is a tombstone: it has {@link #TOMBSTONE_HEADER}. */
  public boolean isTombstone() {
    return "true".equals(headers.get(TOMBSTONE_HEADER));
  }

  /**
   * Starts building a message with a topic and a type. Append the builder itself, without {@code
   * build()}, and the outbox completes the message with an id and a time of its own.
   */
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

  /**
   * Builds a {@link Message}. Not thread-safe.
   *
   * <p>An {@link Outbox} takes a builder in place of a message, and builds the message with its own
   * ids and clock: those that were given to {@code Outledger.builder(…)} or to a test's extension.
   * {@link #build()} cannot know these and uses the system's. Appending a builder twice makes two
   * messages, with different ids unless {@link #id} was called.
   */
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

    /**
     * Sets the id; the default is a new id, of the outbox where the builder is appended. Set it if
     * a retry must create the same message.
     */
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

    /**
     * Makes it a tombstone: sets {@link Message#TOMBSTONE_HEADER}, and empties the payload. It
     * needs a key.
     */
    public Builder tombstone() {
      payload = new byte[0];
      return header(TOMBSTONE_HEADER, "true");
    }

    /** Adds a header, or replaces the header of the same name. */
    public Builder header(String name, String value) {
      headers.put(given("header name", name), given("header value", value));
      return this;
    }

    /**
     * Sets the time, truncated to microseconds; the default is now, by the outbox's clock where the
     * builder is appended.
     */
    public Builder time(Instant value) {
      time = given("time", value);
      return this;
    }

    /**
     * Builds the message. An id that was not set is {@linkplain MessageIds#system() random}, and a
     * time that was not set is the system's, whatever clock an outbox has.
     *
     * @throws InvalidMessageException {@code OUT-014} if a field violates {@link MessageLimits}
     */
    public Message build() {
      return build(MessageIds.system(), TimeSource.system());
    }

    /**
     * Builds the message as an outbox does that the builder is appended to.
     *
     * @param ids make the id, unless it was set
     * @param clock tells the time, unless it was set
     * @throws InvalidMessageException {@code OUT-014} if a field violates {@link MessageLimits}
     */
    public Message build(MessageIds ids, TimeSource clock) {
      Require.nonNull("ids", ids);
      Require.nonNull("clock", clock);
      Message message =
          new Message(
              id == null ? ids.next() : id,
              topic,
              key,
              type,
              version,
              payload,
              java.util.Collections.unmodifiableMap(new TreeMap<>(headers)),
              (time == null ? clock.now() : time).truncatedTo(ChronoUnit.MICROS));
      MessageLimits.check(message);
      return message;
    }
  }
}
