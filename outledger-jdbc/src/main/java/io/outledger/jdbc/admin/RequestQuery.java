// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which requests to list, from the newest on: those that fit everything that is given. Immutable.
 *
 * <pre>{@code
 * RequestQuery.ALL.withReader(Reader.subscription("kafka")).withState(RequestState.REFUSED)
 * }</pre>
 *
 * @param state only those in this state; null for any
 * @param verb only those of this verb, as {@link RequestStatus#verb()} names it; null for any
 * @param reader only those about this subscription or consumer; null for any
 * @param after the place after which the list goes on: {@link Listing#next()} of the page before;
 *     null for the newest
 * @param limit at most this many, 1 to {@value MessageQuery#LIMIT_MAX}
 */
public record RequestQuery(
    @Nullable RequestState state,
    @Nullable String verb,
    @Nullable Reader reader,
    @Nullable RequestPoint after,
    int limit) {

  private static final Set<String> VERBS =
      names(Verb.class).collect(Collectors.toCollection(TreeSet::new));

  private static final int LIMIT = 100;

  /** All requests. */
  public static final RequestQuery ALL = new RequestQuery(null, null, null, null, LIMIT);

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if there is no such verb, or the limit is out of
   *     its range
   */
  public RequestQuery {
    MessageQuery.range("limit", limit, 1, MessageQuery.LIMIT_MAX);
    if (verb != null && !VERBS.contains(verb)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "there is no verb \"" + Printable.value(verb) + "\"; known verbs: " + VERBS);
    }
  }

  /** Returns the names of the verbs that a kind of them has, at any depth. */
  private static Stream<String> names(Class<?> verbs) {
    return verbs.isRecord()
        ? Stream.of(
            verbs.getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT))
        : Stream.of(verbs.getPermittedSubclasses()).flatMap(RequestQuery::names);
  }

  /** Returns this query, narrowed to a state. */
  public RequestQuery withState(RequestState value) {
    Require.nonNull("withState", value);
    return new RequestQuery(value, verb, reader, after, limit);
  }

  /**
   * Returns this query, narrowed to a verb.
   *
   * @param value such as {@code pause} or {@code end-declaration}
   */
  public RequestQuery withVerb(String value) {
    Require.nonNull("withVerb", value);
    return new RequestQuery(state, value, reader, after, limit);
  }

  /** Returns this query, narrowed to a subscription or a consumer. */
  public RequestQuery withReader(Reader value) {
    Require.nonNull("withReader", value);
    return new RequestQuery(state, verb, value, after, limit);
  }

  /** Returns this query, for the page after a place. */
  public RequestQuery after(RequestPoint value) {
    Require.nonNull("after", value);
    return new RequestQuery(state, verb, reader, value, limit);
  }

  /** Returns this query, with pages of at most this many requests. */
  public RequestQuery withLimit(int value) {
    return new RequestQuery(state, verb, reader, after, value);
  }
}
