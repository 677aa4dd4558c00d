// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.parking.Breaker;
import io.outledger.parking.Suspects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The messages that a breaker keeps back, and the one of them that probes. */
final class KeptBack {

  private final Breaker breaker;
  private final Suspects<Delivery> suspects;
  private final TreeMap<Place, Delivery> waiting = new TreeMap<>();
  private @Nullable Place probe;

  /**
   * Makes it, with nothing kept back.
   *
   * @param suspects those whose probes have failed: another one is to probe next
   */
  KeptBack(Breaker breaker, Suspects<Delivery> suspects) {
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
    waiting.put(delivery.place(), delivery);
  }

  boolean hasEarlierOf(Delivery delivery) {
    return waiting.headMap(delivery.place()).values().stream().anyMatch(delivery::isBehind);
  }

  boolean contains(Delivery delivery) {
    return waiting.containsKey(delivery.place());
  }

  /** Returns whether it may be forgotten, since the next rejection opens its breaker again. */
  boolean isForgettable() {
    return breaker.isTopicToBlame() && keepsNothing();
  }

  /** Returns whether no message is kept back, nor probes. */
  boolean keepsNothing() {
    return waiting.isEmpty() && probe == null;
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
  boolean probeEnded(Delivery delivery) {
    boolean wasProbe = probe != null && delivery.isAt(probe);
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
    waiting.remove(next.place());
    if (probes) {
      probe = next.place();
    } else {
      breaker.triedAtLimitedRate(now);
    }
    return next;
  }

  /** Takes the message of the row at a place; null where it is not kept back. */
  @Nullable Delivery takeRow(Place place) {
    Delivery there = waiting.get(place);
    if (there == null || there.parked() == null) {
      return null;
    }
    waiting.remove(place);
    return there;
  }

  /** Returns the keys of those that are suspected. */
  Set<String> suspectedKeys() {
    Set<String> keys = new HashSet<>();
    if (suspects.size() > 0) {
      for (Delivery each : waiting.values()) {
        String key = each.key();
        if (key != null && suspects.contains(each)) {
          keys.add(key);
        }
      }
    }
    return keys;
  }

  /** Takes the first message that is not suspected and of none of the keys; null for none. */
  @Nullable Delivery takeFirstUnsuspected(Set<String> except) {
    return takeFirst(except, false);
  }

  /** Takes the first message that is of none of the keys; null where there is none. */
  @Nullable Delivery takeFirst(Set<String> except) {
    return takeFirst(except, true);
  }

  private @Nullable Delivery takeFirst(Set<String> except, boolean suspectsToo) {
    Iterator<Delivery> all = waiting.values().iterator();
    while (all.hasNext()) {
      Delivery next = all.next();
      boolean isMeant = suspectsToo || !suspects.contains(next);
      if (isMeant && (next.key() == null || !except.contains(next.key()))) {
        all.remove();
        return next;
      }
    }
    return null;
  }
}
