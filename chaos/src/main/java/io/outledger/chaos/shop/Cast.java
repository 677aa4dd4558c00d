// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who plays in a shop, by name.
 *
 * @param relays compete for the subscription
 * @param writers append
 * @param consumers receive through one inbox; the last of several is in a consumer group of its
 *     own, so that every message comes to the inbox from two sides
 * @param operators pause, resume, move, replay, purge, retry, discard and delete
 */
public record Cast(
    List<String> relays, List<String> writers, List<String> consumers, List<String> operators) {

  private static final String GROUP = "stock";
  private static final String OTHER_GROUP = "stock-again";

  /** Copies the names. */
  public Cast {
    relays = List.copyOf(relays);
    writers = List.copyOf(writers);
    consumers = List.copyOf(consumers);
    operators = List.copyOf(operators);
  }

  /** Returns a cast with this number of each, without an operator. */
  public static Cast of(int relays, int writers, int consumers) {
    return new Cast(
        names("relay", relays), names("writer", writers), names("consumer", consumers), List.of());
  }

  /** Returns the same with an operator. */
  public Cast withOperator() {
    return new Cast(relays, writers, consumers, names("operator", 1));
  }

  /** Returns everybody, in the order in which they are best started. */
  public List<String> all() {
    List<String> all = new ArrayList<>(relays);
    all.addAll(consumers);
    all.addAll(writers);
    all.addAll(operators);
    return all;
  }

  /** Says whether there is an operator. */
  public boolean isOperated() {
    return !operators.isEmpty();
  }

  /** Says whether every message comes to the inbox from two sides. */
  public boolean isRaced() {
    return consumers.size() > 1;
  }

  /** Returns the consumer group of a consumer. */
  public String groupOf(String consumer) {
    boolean isLast = consumer.equals(consumers.get(consumers.size() - 1));
    return isRaced() && isLast ? OTHER_GROUP : GROUP;
  }

  private static List<String> names(String role, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(n -> role + "-" + n).toList();
  }
}
