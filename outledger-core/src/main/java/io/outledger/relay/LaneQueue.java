// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** What waits in a lane to be handed over, and the memory that it takes. */
final class LaneQueue {

  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private long bytes;

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  long bytes() {
    return bytes;
  }

  void add(Delivery delivery) {
    waiting.addLast(delivery);
    bytes += delivery.origin().bytes();
  }

  /** Puts deliveries, which are in order, before all that waits. */
  void addFirst(List<Delivery> inOrder) {
    for (int i = inOrder.size() - 1; i >= 0; i--) {
      waiting.addFirst(inOrder.get(i));
      bytes += inOrder.get(i).origin().bytes();
    }
  }

  /** Adds deliveries, and brings all that waits into the order of the ledger. */
  void addInOrder(Collection<Delivery> deliveries) {
    List<Delivery> all = takeAll();
    all.addAll(deliveries);
    all.sort(Comparator.comparingLong(Delivery::position));
    all.forEach(this::add);
  }

  /** Takes the first one of a queue that is not empty. */
  Delivery takeFirst() {
    Delivery first = waiting.removeFirst();
    bytes -= first.origin().bytes();
    return first;
  }

  List<Delivery> takeAll() {
    List<Delivery> all = new ArrayList<>(waiting);
    waiting.clear();
    bytes = 0;
    return all;
  }
}
