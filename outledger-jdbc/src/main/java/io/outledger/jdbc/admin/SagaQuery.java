// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Name;
import io.outledger.Require;
import io.outledger.saga.SagaId;
import org.jspecify.annotations.Nullable;

/**
 * Which sagas to list, by name and key. Immutable.
 *
 * @param saga only those of this name; null for all
 * @param after the saga after which the list begins: {@link Listing#next()} of the page before;
 *     null for the first
 * @param limit at most this many, 1 to {@value MessageQuery#LIMIT_MAX}
 */
public record SagaQuery(@Nullable String saga, @Nullable SagaId after, int limit) {

  private static final int LIMIT = 100;

  /** All sagas. */
  public static final SagaQuery ALL = new SagaQuery(null, null, LIMIT);

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid, {@code
   *     OUT-021} if the limit is out of its range
   */
  public SagaQuery {
    if (saga != null) {
      Name.check("saga", saga);
    }
    MessageQuery.range("limit", limit, 1, MessageQuery.LIMIT_MAX);
  }

  /** Returns this query, narrowed to the sagas of a name. */
  public SagaQuery withSaga(String value) {
    return new SagaQuery(Require.nonNull("withSaga", value), after, limit);
  }

  /** Returns this query, for the page after a saga. */
  public SagaQuery after(SagaId value) {
    return new SagaQuery(saga, Require.nonNull("after", value), limit);
  }

  /** Returns this query, with pages of at most this many sagas. */
  public SagaQuery withLimit(int value) {
    return new SagaQuery(saga, after, value);
  }
}
