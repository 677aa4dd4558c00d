// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which parked messages of an owner to list: those that fit everything that is given. Immutable.
 *
 * <pre>{@code
 * ParkedQuery.of(Reader.subscription("kafka"))
 *     .with(ParkedSelection.of(ParkedState.DEAD).withTopic("orders"))
 *     .withFailure("java.net.ConnectException: refused by broker #")
 * }</pre>
 *
 * @param owner whose
 * @param selection which states, routes, types, topics, keys, errors and group of failures; a
 *     consumer has no routes
 * @param parkedBefore only those that were parked before this time; null for any
 * @param after the place after which the list begins: {@link Listing#next()} of the page before
 * @param limit at most this many, 1 to {@value MessageQuery#LIMIT_MAX}
 * @param payloadBytes at most this many bytes of each payload, 0 for no payload
 */
public record ParkedQuery(
    Reader owner,
    ParkedSelection selection,
    @Nullable Instant parkedBefore,
    ParkedPoint after,
    int limit,
    int payloadBytes) {

  private static final int LIMIT = 100;

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if something is null, a number is out of its
   *     range, or a route of a consumer is selected
   */
  public ParkedQuery {
    Require.nonNull("owner", owner);
    Require.nonNull("selection", selection);
    Require.nonNull("after", after);
    MessageQuery.range("limit", limit, 1, MessageQuery.LIMIT_MAX);
    MessageQuery.range("payloadBytes", payloadBytes, 0, MessageInfo.PAYLOAD_BYTES_MAX);
    if (owner.isConsumer() && selection.route() != null) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "a consumer has no routes; leave the route out of the selection");
    }
  }

  /** Returns the query of all that an owner has parked. */
  public static ParkedQuery of(Reader owner) {
    return new ParkedQuery(owner, ParkedSelection.ALL, null, ParkedPoint.FIRST, LIMIT, 0);
  }

  /** Returns this query, narrowed to a selection. */
  public ParkedQuery with(ParkedSelection value) {
    return new ParkedQuery(owner, value, parkedBefore, after, limit, payloadBytes);
  }

  /** Returns this query, narrowed to the errors of a {@link FailureGroup}. */
  public ParkedQuery withFailure(String value) {
    return with(selection.withFailure(value));
  }

  /** Returns this query, narrowed to what was parked before a time. */
  public ParkedQuery parkedBefore(Instant value) {
    Require.nonNull("parkedBefore", value);
    return new ParkedQuery(owner, selection, value, after, limit, payloadBytes);
  }

  /** Returns this query, for the page after a place. */
  public ParkedQuery after(ParkedPoint place) {
    return new ParkedQuery(owner, selection, parkedBefore, place, limit, payloadBytes);
  }

  /** Returns this query, with pages of at most this many messages. */
  public ParkedQuery withLimit(int value) {
    return new ParkedQuery(owner, selection, parkedBefore, after, value, payloadBytes);
  }

  /** Returns this query, with the first bytes of each payload. */
  public ParkedQuery withPayload(int bytes) {
    return new ParkedQuery(owner, selection, parkedBefore, after, limit, bytes);
  }
}
