// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Rejections that came before the outcome of an earlier message of the same key. Were the later one
 * parked at once, the earlier, should it have to be sent again, would be held behind it and come
 * after it; so the rejection waits for the other's outcome, and counts for nothing until then.
 */
final class EarlyRejections {

  private final List<LaneClient.Arrived> waiting = new ArrayList<>();

  void add(LaneClient.Arrived rejected) {
    waiting.add(rejected);
  }

  /** Takes those that need not wait, in the order in which they came. */
  List<LaneClient.Arrived> take(Predicate<Delivery> mustWait) {
    List<LaneClient.Arrived> taken = new ArrayList<>();
    waiting.removeIf(
        rejected -> {
          boolean isReady = !mustWait.test(rejected.delivery());
          if (isReady) {
            taken.add(rejected);
          }
          return isReady;
        });
    return taken;
  }

  /** Takes all that is left, to be sent again behind what they waited for. */
  List<Delivery> clear() {
    List<Delivery> left = waiting.stream().map(LaneClient.Arrived::delivery).toList();
    waiting.clear();
    return left;
  }
}
