// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.Entry;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** The trails of all messages, in the order in which they were first heard of. */
final class Trails {

  private final Map<UUID, Trail> trails = new LinkedHashMap<>();
  private final Map<String, Long> offsets = new HashMap<>();
  private long arrivals;

  Collection<Trail> all() {
    return trails.values();
  }

  Trail of(UUID id) {
    return trails.computeIfAbsent(id, Trail::new);
  }

  void wrote(Entry.Wrote wrote) {
    Trail trail = of(wrote.id());
    trail.key = wrote.key();
    trail.counter = wrote.counter();
    trail.outcome = wrote.outcome();
  }

  void parked(Entry.Parked parked) {
    Trail trail = of(parked.id());
    trail.isParked = true;
    trail.isDead = parked.isDead();
    trail.blocks = parked.blocks();
  }

  void arrived(Entry.Arrived arrived) {
    Long before = offsets.get(arrived.partition());
    if (before != null && before >= arrived.offset()) {
      return; // an observer that started again
    }
    offsets.put(arrived.partition(), arrived.offset());
    Trail trail = of(arrived.id());
    arrivals++;
    trail.arrivals++;
    if (!trail.hasArrived()) {
      trail.firstArrival = arrivals;
    }
  }

  void overtaken(Entry.Overtaken overtaken) {
    Trail trail = of(overtaken.id());
    if (trail.followers.isEmpty()) {
      trail.followers = new HashSet<>(); // few need one
    }
    trail.followers.add(overtaken.follower());
  }
}
