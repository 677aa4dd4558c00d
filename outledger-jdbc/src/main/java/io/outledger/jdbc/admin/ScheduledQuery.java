// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Name;
import io.outledger.Require;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which of the messages that wait to list, those that are due first in front. Immutable.
 *
 * @param after the place after which the list begins: {@link Listing#next()} of the page before;
 *     null for the beginning
 * @param id only the message with this id; null for any
 * @param name only the message under this name; null for any
 * @param limit at most this many, 1 to {@value MessageQuery#LIMIT_MAX}
 */
public record ScheduledQuery(
    @Nullable ScheduledPoint after, @Nullable UUID id, @Nullable String name, int limit) {

  private static final int LIMIT = 100;

  /** All messages that wait. */
  public static final ScheduledQuery ALL = new ScheduledQuery(null, null, null, LIMIT);

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid, {@code
   *     OUT-021} if the limit is out of its range
   */
  public ScheduledQuery {
    if (name != null) {
      Name.check("scheduled message", name);
    }
    MessageQuery.range("limit", limit, 1, MessageQuery.LIMIT_MAX);
  }

  /** Returns this query, for the page after a place. */
  public ScheduledQuery after(ScheduledPoint place) {
    return new ScheduledQuery(Require.nonNull("place", place), id, name, limit);
  }

  /** Returns this query, narrowed to an id. */
  public ScheduledQuery withId(UUID value) {
    return new ScheduledQuery(after, Require.nonNull("withId", value), name, limit);
  }

  /** Returns this query, narrowed to a name. */
  public ScheduledQuery withName(String value) {
    return new ScheduledQuery(after, id, Require.nonNull("withName", value), limit);
  }

  /** Returns this query, with pages of at most this many messages. */
  public ScheduledQuery withLimit(int value) {
    return new ScheduledQuery(after, id, name, value);
  }
}
