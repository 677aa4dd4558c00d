// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import io.outledger.Message;
import io.outledger.Require;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The functions that a message passes before it is published: filter, guard, enrich, map.
 * Immutable.
 *
 * <p>If a function throws, the message counts as rejected and is retried.
 *
 * @param filter selects the messages of the subscription; others are settled without being
 *     published, and those that only another version's filter selects are parked for it
 * @param guard returns why a message must not be published, or empty if it may be; a refused
 *     message becomes a dead letter at once
 * @param enrich adds missing data to the message
 * @param map converts the message to the published contract; must not change its key or id
 */
public record Transforms(
    Accepts filter,
    Function<Message, Optional<String>> guard,
    UnaryOperator<Message> enrich,
    UnaryOperator<Message> map) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public Transforms {
    Require.nonNull("filter", filter);
    Require.nonNull("guard", guard);
    Require.nonNull("enrich", enrich);
    Require.nonNull("map", map);
  }

  /** Publishes every message unchanged. */
  public static final Transforms NONE =
      new Transforms(
          Accepts.everything(),
          message -> Optional.empty(),
          UnaryOperator.identity(),
          UnaryOperator.identity());

  /** Returns whether these transforms may change a message. */
  public boolean mayChangeMessages() {
    return enrich != NONE.enrich || map != NONE.map;
  }

  /** Returns these transforms with another filter. */
  public Transforms withFilter(Accepts value) {
    return new Transforms(value, guard, enrich, map);
  }

  /** Returns these transforms with another guard. */
  public Transforms withGuard(Function<Message, Optional<String>> value) {
    return new Transforms(filter, value, enrich, map);
  }

  /** Returns these transforms with another enrichment. */
  public Transforms withEnrich(UnaryOperator<Message> value) {
    return new Transforms(filter, guard, value, map);
  }

  /** Returns these transforms with another mapping. */
  public Transforms withMap(UnaryOperator<Message> value) {
    return new Transforms(filter, guard, enrich, value);
  }
}
