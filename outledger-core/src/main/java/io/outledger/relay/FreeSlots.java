// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.relay.context.RelayContext;
import io.outledger.store.Declaring;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which slots a pull may take: all of its own or none, since half of them would keep another one
 * from the rest. But those that nobody has taken for two leases are taken without the rest: else
 * nobody might ever take them, as with two engines that divide the slots in different ways. So are
 * those that it held itself a moment ago.
 */
final class FreeSlots {

  private static final int LEASES = 2;
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final NavigableMap<Integer, PulledSlot> mine;
  private final Declaring declaring;
  private final RelayContext context;
  private long lookedAt;

  FreeSlots(NavigableMap<Integer, PulledSlot> mine, Declaring declaring, RelayContext context) {
    this.mine = mine;
    this.declaring = declaring;
    this.context = context;
  }

  /** Looks which leases to take now. */
  Set<Integer> toTake() {
    long now = context.time().nanoTime();
    lookedAt = now;
    Set<Integer> free = new TreeSet<>();
    Set<Integer> overdue = new TreeSet<>();
    for (Map.Entry<Integer, PulledSlot> each : mine.entrySet()) {
      PulledSlot slot = each.getValue();
      if (slot.lookWhetherFree(declaring, now)) {
        free.add(each.getKey());
        if (slot.wasHeld() || isOverdue(slot, now)) {
          overdue.add(each.getKey());
        }
      }
    }
    return free.size() == mine.size() ? free : overdue;
  }

  /** Returns whether it is time to look for more leases, beside those that are held. */
  boolean isDueBeyond(Set<Integer> held) {
    return held.size() < mine.size()
        && context.time().nanoTime() - lookedAt >= LOOK_EVERY.toNanos();
  }

  /**
   * Looks, over the stores of the slots, which nothing may be reading from; returns whether more
   * leases may be taken, beside those that are held.
   */
  boolean lookBeyond(Set<Integer> held) {
    long now = context.time().nanoTime();
    lookedAt = now;
    boolean all = true;
    boolean any = false;
    for (Map.Entry<Integer, PulledSlot> each : mine.entrySet()) {
      if (!held.contains(each.getKey())) {
        boolean isFree = each.getValue().lookWhetherFree(declaring, now);
        all &= isFree;
        any |= isFree && isOverdue(each.getValue(), now);
      }
    }
    return all || any;
  }

  private boolean isOverdue(PulledSlot slot, long now) {
    return slot.hasBeenFreeFor(context.options().lease().multipliedBy(LEASES), now);
  }
}
