// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.KeyOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which messages of one key may be on their way together: all, where the publisher keeps
 * the order of what it was handed; else one, and the others queue behind it. For one thread.
 */
final class KeyGate {

  private final boolean isOpen;
  private final Map<String, Deque<Delivery>> busy = new HashMap<>();

  /** Makes a gate for a publisher's order. */
  KeyGate(KeyOrder order) {
    this.isOpen = order == KeyOrder.PIPELINED;
  }

  /** Returns whether it lets every message pass, so that nothing is ever queued. */
  boolean isOpen() {
    return isOpen;
  }

  /** Lets the message pass and returns true, or queues it behind its predecessor. */
  boolean enter(Delivery delivery) {
    String key = delivery.key();
    if (isOpen || key == null) {
      return true;
    }
    Deque<Delivery> queue = busy.get(key);
    if (queue == null) {
      busy.put(key, new ArrayDeque<>(2));
      return true;
    }
    queue.add(delivery);
    return false;
  }

  /** Notes that a message has left, and returns the next of its key, which has not entered yet. */
  @Nullable Delivery leave(Delivery delivery) {
    String key = delivery.key();
    Deque<Delivery> queue = isOpen || key == null ? null : busy.get(key);
    if (queue == null) {
      return null;
    }
    Delivery next = queue.poll();
    if (next == null) {
      busy.remove(key);
    }
    return next;
  }

  /**
   * Notes that a message has left while no other may pass, and returns all that were queued behind
   * it. They enter again in this order: were the first alone to do so, it would queue behind those
   * it stands before, and no one would be left to let them pass.
   */
  List<Delivery> dissolve(Delivery delivery) {
    String key = delivery.key();
    Deque<Delivery> queue = isOpen || key == null ? null : busy.remove(key);
    return queue == null ? List.of() : List.copyOf(queue);
  }

  /** Empties the gate and returns what was queued. */
  List<Delivery> clear() {
    List<Delivery> queued = new ArrayList<>();
    busy.values().forEach(queued::addAll);
    busy.clear();
    return queued;
  }
}
