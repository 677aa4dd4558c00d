// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of the ledger are published once more: those that fit everything that is given.
 * Immutable.
 *
 * @param first the first position, 1 or more
 * @param last the last position; {@link Long#MAX_VALUE} for what the subscription has settled when
 *     the request is begun
 * @param from only messages created at or after this time; null for any
 * @param until only messages created before this time; null for any
 * @param topic only messages of this topic; null for any
 * @param type only messages of this type; null for any
 * @param key only messages of this key; null for any
 * @param ids only messages with these ids, up to {@value #IDS_MAX}; empty for any. Ids have no
 *     index: all of the range is looked through
 */
public record ReplayRange(
    long first,
    long last,
    @Nullable Instant from,
    @Nullable Instant until,
    @Nullable String topic,
    @Nullable String type,
    @Nullable String key,
    Set<UUID> ids) {

  /** The most ids. */
  public static final int IDS_MAX = 1_000;

  /** All that the ledger has and the subscription has settled. */
  public static final ReplayRange ALL = positions(1, Long.MAX_VALUE);

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if the range or the time span is empty, a text
   *     is one that no database stores, or there are more than {@value #IDS_MAX} ids
   */
  public ReplayRange {
    MessageQuery.text("topic", topic);
    MessageQuery.text("type", type);
    MessageQuery.text("key", key);
    ids = Set.copyOf(Require.nonNull("ids", ids));
    if (ids.size() > IDS_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "there are "
              + ids.size()
              + " ids but must be "
              + IDS_MAX
              + " at most; ask in several requests");
    }
    if (first < 1 || last < first) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the range from position " + first + " to " + last + " is empty; positions begin at 1");
    }
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

  /** Returns the messages at these positions, both included. */
  public static ReplayRange positions(long first, long last) {
    return new ReplayRange(first, last, null, null, null, null, null, Set.of());
  }

  /** Returns this range, narrowed to messages created at or after a time and before another. */
  public ReplayRange within(Instant start, Instant end) {
    Require.nonNull("start", start);
    Require.nonNull("end", end);
    return new ReplayRange(first, last, start, end, topic, type, key, ids);
  }

  /** Returns this range, narrowed to a topic. */
  public ReplayRange withTopic(String value) {
    Require.nonNull("withTopic", value);
    return new ReplayRange(first, last, from, until, value, type, key, ids);
  }

  /** Returns this range, narrowed to a type. */
  public ReplayRange withType(String value) {
    Require.nonNull("withType", value);
    return new ReplayRange(first, last, from, until, topic, value, key, ids);
  }

  /** Returns this range, narrowed to a key. */
  public ReplayRange withKey(String value) {
    Require.nonNull("withKey", value);
    return new ReplayRange(first, last, from, until, topic, type, value, ids);
  }

  /**
   * Returns this range, narrowed to messages with these ids.
   *
   * @throws ConfigurationException {@code OUT-021} if there are none, or more than {@value
   *     #IDS_MAX}
   */
  public ReplayRange withIds(Collection<UUID> ids) {
    if (Require.nonNull("ids", ids).isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "no id is given; leave ids out to replay all that fit");
    }
    return new ReplayRange(first, last, from, until, topic, type, key, Set.copyOf(ids));
  }
}
