// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.parking.Breaker;
import io.outledger.store.ParkedPlace;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The messages that a breaker keeps back, and the one of them that probes. */
final class KeptBack {

  private final Breaker breaker;
  private final Suspects suspects;
  private final TreeMap<Long, Delivery> waiting = new TreeMap<>();
  private @Nullable Long probe;

  /**
   * Makes it, with nothing kept back.
   *
   * @param suspects those whose probes have failed: another one is to probe next
   */
  KeptBack(Breaker breaker, Suspects suspects) {
    this.breaker = breaker;
    this.suspects = suspects;
  }

  Breaker breaker() {
    return breaker;
  }

  int count() {
    return waiting.size();
  }

  void add(Delivery delivery) {
    waiting.put(delivery.position(), delivery);
  }

  boolean hasEarlierOf(Delivery delivery) {
    return waiting.headMap(delivery.position()).values().stream().anyMatch(delivery::isBehind);
  }

  boolean contains(long position) {
    return waiting.containsKey(position);
  }

  /** Returns whether it may be forgotten, since the next rejection opens its breaker again. */
  boolean isForgettable() {
    return breaker.isTopicToBlame() && waiting.isEmpty() && probe == null;
  }

  /** Takes a success: the destination works. The messages are returned, in order. */
  List<Delivery> succeeded() {
    breaker.succeeded();
    probe = null;
    List<Delivery> all = new ArrayList<>(waiting.values());
    waiting.clear();
    return all;
  }

  /** Notes that a message's outcome has come, and returns whether it was the probe. */
  boolean probeEnded(long position) {
    boolean wasProbe = probe != null && probe == position;
    if (wasProbe) {
      probe = null;
    }
    return wasProbe;
  }

  /** Takes the message that may be tried now: a probe, or one at the limited rate; or null. */
  @Nullable Delivery release(long now) {
    boolean mayTry = !breaker.isClosed() && !waiting.isEmpty() && breaker.waitFor(now).isZero();
    boolean probes = breaker.state() == Breaker.State.OPEN;
    Delivery next = mayTry && !(probes && probe != null) ? suspects.next(waiting.values()) : null;
    if (next == null) {
      return null;
    }
    waiting.remove(next.position());
    if (probes) {
      probe = next.position();
    } else {
      breaker.triedAtLimitedRate(now);
    }
    return next;
  }

  /** Takes the message of the row at a place; null where it is not kept back. */
  @Nullable Delivery takeRow(ParkedPlace place) {
    Delivery there = waiting.get(place.position());
    if (there == null || !there.isOf(place)) {
      return null;
    }
    waiting.remove(place.position());
    return there;
  }

  /** Takes the first message that is of none of the keys; null where there is none. */
  @Nullable Delivery takeFirst(Set<String> except) {
    Iterator<Delivery> all = waiting.values().iterator();
    while (all.hasNext()) {
      Delivery next = all.next();
      if (next.key() == null || !except.contains(next.key())) {
        all.remove();
        return next;
      }
    }
    return null;
  }
}
