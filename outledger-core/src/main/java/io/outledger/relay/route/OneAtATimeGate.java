// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lets one message of a key pass at a time; the others queue behind it. */
final class OneAtATimeGate implements KeyGate {

  private final Map<String, Deque<Delivery>> busy = new HashMap<>();

  @Override
  public boolean enter(Delivery delivery) {
    String key = delivery.key();
    if (key == null) {
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

  @Override
  public @Nullable Delivery leave(Delivery delivery) {
    String key = delivery.key();
    Deque<Delivery> queue = key == null ? null : busy.get(key);
    if (queue == null) {
      return null;
    }
    Delivery next = queue.poll();
    if (next == null) {
      busy.remove(key);
    }
    return next;
  }

  @Override
  public boolean isOpen() {
    return false;
  }

  @Override
  public List<Delivery> dissolve(Delivery delivery) {
    String key = delivery.key();
    Deque<Delivery> queue = key == null ? null : busy.remove(key);
    return queue == null ? List.of() : List.copyOf(queue);
  }

  @Override
  public List<Delivery> clear() {
    List<Delivery> queued = new ArrayList<>();
    busy.values().forEach(queued::addAll);
    busy.clear();
    return queued;
  }
}
