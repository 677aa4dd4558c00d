// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Rejections that came before the outcome of an earlier message of the same key. Were the later one
 * parked at once, the earlier, should it have to be sent again, would be held behind it and come
 * after it; so the rejection waits for the other's outcome, and counts for nothing until then. What
 * follows of its key waits with it: sent now, it would overtake a message known to be rejected.
 */
final class OutOfOrderRejections {

  private final List<RouteClient.Arrived> waiting = new ArrayList<>();
  private final List<Delivery> followers = new ArrayList<>();
  private final List<Delivery> freed = new ArrayList<>();

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void add(RouteClient.Arrived rejected) {
    waiting.add(rejected);
  }

  /** Keeps a message back where a rejection of an earlier one of its key waits. */
  boolean keepBack(Delivery delivery) {
    boolean follows =
        !waiting.isEmpty()
            && waiting.stream().anyMatch(early -> delivery.isBehind(early.delivery()));
    if (follows) {
      followers.add(delivery);
    }
    return follows;
  }

  /** Takes those that need not wait, in the order of their positions: so they are to be parked. */
  List<RouteClient.Arrived> take(Predicate<Delivery> mustWait) {
    List<RouteClient.Arrived> taken = new ArrayList<>();
    waiting.removeIf(
        rejected -> {
          boolean isReady = !mustWait.test(rejected.delivery());
          if (isReady) {
            taken.add(rejected);
          }
          return isReady;
        });
    taken.sort(Comparator.comparingLong(rejected -> rejected.delivery().position()));
    if (!taken.isEmpty()) {
      freed.addAll(followers);
      followers.clear();
    }
    return taken;
  }

  /** Takes a message that was not sent, because it follows a rejected one: it may try again. */
  void free(Delivery delivery) {
    freed.add(delivery);
  }

  /** Takes the followers that may try again, in order; some may have to be kept back once more. */
  List<Delivery> takeFreed() {
    if (freed.isEmpty()) {
      return List.of();
    }
    List<Delivery> taken = new ArrayList<>(freed);
    taken.sort(Comparator.comparingLong(Delivery::position));
    freed.clear();
    return taken;
  }

  /** Takes all that is left, to be sent again behind what they waited for. */
  List<Delivery> clear() {
    List<Delivery> left = new ArrayList<>(takeFreed());
    left.addAll(followers);
    followers.clear();
    waiting.forEach(rejected -> left.add(rejected.delivery()));
    waiting.clear();
    return left;
  }
}
