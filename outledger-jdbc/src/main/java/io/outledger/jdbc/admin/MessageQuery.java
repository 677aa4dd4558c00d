// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of the ledger to list: those that fit everything that is given. Immutable.
 *
 * <pre>{@code
 * MessageQuery.ALL.withKey("order-42").newestFirst().withLimit(20)
 * }</pre>
 *
 * @param after the place after which the list begins: {@link Listing#next()} of the page before;
 *     null for the beginning
 * @param isNewestFirst whether it goes from the newest message to the oldest
 * @param from only messages created at or after this time; null for any
 * @param until only messages created before this time; null for any
 * @param id only the message with this id; null for any
 * @param topic only messages of this topic; null for any
 * @param type only messages of this type; null for any
 * @param key only messages of this key; null for any
 * @param limit at most this many, 1 to {@value #LIMIT_MAX}
 * @param payloadBytes at most this many bytes of each payload, 0 for no payload
 */
public record MessageQuery(
    @Nullable Long after,
    boolean isNewestFirst,
    @Nullable Instant from,
    @Nullable Instant until,
    @Nullable UUID id,
    @Nullable String topic,
    @Nullable String type,
    @Nullable String key,
    int limit,
    int payloadBytes) {

  /** The longest page. */
  public static final int LIMIT_MAX = 1_000;

  private static final int LIMIT = 100;

  /** All messages, the oldest first, without payloads. */
  public static final MessageQuery ALL =
      new MessageQuery(null, false, null, null, null, null, null, null, LIMIT, 0);

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if a number is out of its range, a time span
   *     ends before it begins, or a text is one that no database stores
   */
  public MessageQuery {
    text("topic", topic);
    text("type", type);
    text("key", key);
    range("limit", limit, 1, LIMIT_MAX);
    range("payloadBytes", payloadBytes, 0, MessageInfo.PAYLOAD_BYTES_MAX);
    if (from != null && until != null && !from.isBefore(until)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the time span from "
              + from
              + " until "
              + until
              + " is empty; from must be before until");
    }
  }

  static void text(String name, @Nullable String value) {
    if (value != null) {
      Require.text(name, value);
    }
  }

  static void range(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          name + " is " + value + " but must be between " + min + " and " + max);
    }
  }

  /** Returns this query, for the page after a place. */
  public MessageQuery after(long place) {
    return new MessageQuery(
        place, isNewestFirst, from, until, id, topic, type, key, limit, payloadBytes);
  }

  /** Returns this query, from the newest message to the oldest. */
  public MessageQuery newestFirst() {
    return new MessageQuery(after, true, from, until, id, topic, type, key, limit, payloadBytes);
  }

  /** Returns this query, narrowed to messages created at or after a time and before another. */
  public MessageQuery within(Instant first, Instant end) {
    return new MessageQuery(
        after,
        isNewestFirst,
        Require.nonNull("first", first),
        Require.nonNull("end", end),
        id,
        topic,
        type,
        key,
        limit,
        payloadBytes);
  }

  /** Returns this query, narrowed to an id. */
  public MessageQuery withId(UUID value) {
    Require.nonNull("withId", value);
    return new MessageQuery(
        after, isNewestFirst, from, until, value, topic, type, key, limit, payloadBytes);
  }

  /** Returns this query, narrowed to a topic. */
  public MessageQuery withTopic(String value) {
    Require.nonNull("withTopic", value);
    return new MessageQuery(
        after, isNewestFirst, from, until, id, value, type, key, limit, payloadBytes);
  }

  /** Returns this query, narrowed to a type. */
  public MessageQuery withType(String value) {
    Require.nonNull("withType", value);
    return new MessageQuery(
        after, isNewestFirst, from, until, id, topic, value, key, limit, payloadBytes);
  }

  /** Returns this query, narrowed to a key. */
  public MessageQuery withKey(String value) {
    Require.nonNull("withKey", value);
    return new MessageQuery(
        after, isNewestFirst, from, until, id, topic, type, value, limit, payloadBytes);
  }

  /** Returns this query, with pages of at most this many messages. */
  public MessageQuery withLimit(int value) {
    return new MessageQuery(
        after, isNewestFirst, from, until, id, topic, type, key, value, payloadBytes);
  }

  /** Returns this query, with the first bytes of each payload. */
  public MessageQuery withPayload(int bytes) {
    return new MessageQuery(after, isNewestFirst, from, until, id, topic, type, key, limit, bytes);
  }
}
