// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.testing.InMemoryOutbox;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Assertions on what was appended to an outbox. Events are found as they were appended, before
 * enrichment and mapping; keys, topics and headers are those of the messages that they became. Not
 * thread-safe.
 */
public final class OutboxAssert extends EventsAssert<OutboxAssert, InMemoryOutbox> {

  OutboxAssert(InMemoryOutbox actual) {
    super(actual, OutboxAssert.class, "appended", occurrences(actual));
  }

  private static List<Occurrence> occurrences(InMemoryOutbox outbox) {
    List<Occurrence> all = new ArrayList<>();
    for (InMemoryOutbox.Appended appended : outbox.appended()) {
      all.add(new Occurrence(all.size(), appended.given(), appended.messages()));
    }
    return all;
  }

  /**
   * Requires at least one event of a class.
   *
   * @throws AssertionError where there is none
   */
  public OutboxAssert hasAppended(Class<?> type) {
    return named(type, event -> {});
  }

  /**
   * Requires at least one event of a class that satisfies something.
   *
   * @param type the class
   * @param requirements assertions on the event
   * @throws AssertionError where none satisfies it, with the reason for each
   */
  public <E> OutboxAssert hasAppended(Class<E> type, Consumer<? super E> requirements) {
    return named(type, requirements);
  }

  /**
   * Requires no event of a class.
   *
   * @throws AssertionError where there is one
   */
  public OutboxAssert hasNotAppended(Class<?> type) {
    none(type);
    return this;
  }

  /**
   * Requires events of exactly these classes, in this order.
   *
   * @throws AssertionError where others were appended, or in another order
   */
  public OutboxAssert hasAppendedExactly(Class<?>... types) {
    exactly(List.of(types));
    return this;
  }

  /**
   * Requires that nothing was appended.
   *
   * @throws AssertionError where something was
   */
  public OutboxAssert hasAppendedNothing() {
    exactly(List.of());
    return this;
  }

  /**
   * Requires that of the events named so far, those that share a key were appended in the order in
   * which they are named here; each naming stands for an event of its own. Nothing is required of
   * the order of different keys, which nobody promises.
   *
   * @throws AssertionError where the order is another
   */
  public OutboxAssert inOrderOfKeys() {
    namedInOrderOfKeys();
    return this;
  }
}
