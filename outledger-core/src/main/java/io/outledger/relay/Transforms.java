// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Given;
import io.outledger.Message;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What a message passes on the way to its publisher: filter, guard, enrich, map. Immutable.
 *
 * <p>A function that throws rejects the message, which is then tried again like any rejected one.
 *
 * @param filter which messages the subscription wants; others are settled unpublished
 * @param guard returns why a message must not be published, or empty where it may; a refused
 *     message is a dead letter at once
 * @param enrich adds what the message lacks
 * @param map turns it into the published contract; key and id must stay as they are
 */
public record Transforms(
    Predicate<Message> filter,
    Function<Message, Optional<String>> guard,
    UnaryOperator<Message> enrich,
    UnaryOperator<Message> map) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} where something is null
   */
  public Transforms {
    Given.check("filter", filter);
    Given.check("guard", guard);
    Given.check("enrichment", enrich);
    Given.check("mapping", map);
  }

  /** Lets everything pass unchanged. */
  public static final Transforms NONE =
      new Transforms(
          message -> true,
          message -> Optional.empty(),
          UnaryOperator.identity(),
          UnaryOperator.identity());

  /** Returns whether a message may come out changed. */
  public boolean mayChangeMessages() {
    return enrich != NONE.enrich || map != NONE.map;
  }

  /** Returns these transforms with another filter. */
  public Transforms withFilter(Predicate<Message> value) {
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
