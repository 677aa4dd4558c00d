// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Message;
import io.outledger.event.Events;
import io.outledger.testing.RecordingPublisher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Assertions on what has arrived at a publisher, duplicates among it. Messages of registered types
 * are read as their events; others are found as {@link Message}. Not thread-safe.
 */
public final class PublisherAssert extends EventsAssert<PublisherAssert, RecordingPublisher> {

  PublisherAssert(RecordingPublisher actual, Events events) {
    super(actual, PublisherAssert.class, "published", occurrences(actual, events));
  }

  private static List<Occurrence> occurrences(RecordingPublisher publisher, Events events) {
    List<Occurrence> all = new ArrayList<>();
    for (Message message : publisher.messages()) {
      boolean isRegistered = !events.types().readAs(message.type(), message.version()).isEmpty();
      Object event = isRegistered ? events.read(message) : message;
      all.add(new Occurrence(all.size(), event, List.of(message)));
    }
    return all;
  }

  /**
   * Requires at least one event of a class.
   *
   * @throws AssertionError where there is none
   */
  public PublisherAssert hasPublished(Class<?> type) {
    return named(type, event -> {});
  }

  /**
   * Requires at least one event of a class that satisfies something.
   *
   * @param type the class
   * @param requirements assertions on the event
   * @throws AssertionError where none satisfies it, with the reason for each
   */
  public <E> PublisherAssert hasPublished(Class<E> type, Consumer<? super E> requirements) {
    return named(type, requirements);
  }

  /**
   * Requires no event of a class.
   *
   * @throws AssertionError where there is one
   */
  public PublisherAssert hasNotPublished(Class<?> type) {
    none(type);
    return this;
  }

  /**
   * Requires events of exactly these classes, in this order.
   *
   * @throws AssertionError where others were published, or in another order
   */
  public PublisherAssert hasPublishedExactly(Class<?>... types) {
    exactly(List.of(types));
    return this;
  }

  /**
   * Requires that nothing was published.
   *
   * @throws AssertionError where something was
   */
  public PublisherAssert hasPublishedNothing() {
    exactly(List.of());
    return this;
  }

  /**
   * Requires that the messages of each key arrived first in the order of their positions in the
   * ledger, and of the events named so far, that those that share a key arrived in the order in
   * which they are named here. A message that arrives again is no disorder.
   *
   * @throws AssertionError where the order is another
   */
  public PublisherAssert inOrderOfKeys() {
    Map<String, Long> newest = new HashMap<>();
    Set<Long> seen = new HashSet<>();
    for (RecordingPublisher.Arrival arrival : actual.arrivals()) {
      String key = arrival.message().key();
      if (key != null && seen.add(arrival.position())) {
        long before = newest.getOrDefault(key, 0L);
        if (before > arrival.position()) {
          throw failure(
              "Expected the messages of key %s in order, and position %s arrived after %s.",
              key, arrival.position(), before);
        }
        newest.put(key, arrival.position());
      }
    }
    namedInOrderOfKeys();
    return this;
  }

  /**
   * Requires that each message arrived once.
   *
   * @throws AssertionError where one arrived again
   */
  public PublisherAssert withoutDuplicates() {
    Set<Long> seen = new HashSet<>();
    List<Long> again =
        actual.positions().stream().filter(position -> !seen.add(position)).distinct().toList();
    if (!again.isEmpty()) {
      throw failure("Expected each message once, and these positions arrived again: %s", again);
    }
    return this;
  }
}
