// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.parking.Load;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The messages of a route that wait to be sent. */
final class RouteQueue implements Iterable<Delivery> {

  private final Deque<Delivery> waiting = new ArrayDeque<>();

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void add(Delivery delivery) {
    waiting.addLast(delivery);
  }

  /** Adds deliveries, and brings all that waits into the order of the ledger. */
  void addInOrder(Collection<Delivery> deliveries) {
    if (deliveries.isEmpty()) {
      return; // most often, and the queue may be long
    }
    List<Delivery> all = takeAll();
    all.addAll(deliveries);
    all.sort(Delivery.IN_ORDER);
    waiting.addAll(all);
  }

  /** Returns whether a message of the same key that stands before it waits. */
  boolean hasEarlierOf(Delivery delivery) {
    return waiting.stream().anyMatch(delivery::isBehind);
  }

  /** Takes the first one of a queue that is not empty. */
  Delivery takeFirst() {
    return waiting.removeFirst();
  }

  /** Takes the message at a place; null where it does not wait. */
  @Nullable Delivery take(Place place) {
    return take(delivery -> delivery.isAt(place));
  }

  /** Takes the first message for which a test is true; null where there is none. */
  @Nullable Delivery take(Predicate<Delivery> wanted) {
    Iterator<Delivery> all = waiting.iterator();
    while (all.hasNext()) {
      Delivery next = all.next();
      if (wanted.test(next)) {
        all.remove();
        return next;
      }
    }
    return null;
  }

  /** Removes those for which a test is true, in order. */
  void removeIf(Predicate<Delivery> goes) {
    waiting.removeIf(goes);
  }

  @Override
  public Iterator<Delivery> iterator() {
    return waiting.iterator();
  }

  /** Returns whether what waits and what is kept back is beyond the share. */
  boolean isBeyond(RouteShare share, Breakers kept) {
    return share.isExceededBy(load().plus(kept.load()));
  }

  /**
   * Takes the first ones until what waits and what is kept back is within the share. Those of a key
   * that has messages kept back join them, and are not returned.
   *
   * @param most return at most this many
   */
  List<Delivery> takeBeyond(RouteShare share, Breakers kept, int most) {
    List<Delivery> taken = new ArrayList<>();
    Load load = load();
    while (!waiting.isEmpty()
        && taken.size() < most
        && share.isExceededBy(load.plus(kept.load()))) {
      Delivery delivery = waiting.removeFirst();
      load = load.minus(delivery.load());
      if (!kept.keepsKeyOf(delivery) || !kept.keepBack(delivery)) {
        taken.add(delivery);
      }
    }
    return taken;
  }

  private Load load() {
    Load load = Load.NONE;
    for (Delivery delivery : waiting) {
      load = load.plus(delivery.load());
    }
    return load;
  }

  List<Delivery> takeAll() {
    List<Delivery> all = new ArrayList<>(waiting);
    waiting.clear();
    return all;
  }
}
