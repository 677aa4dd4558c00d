// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.parking.Suspects;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import java.util.ArrayList;
import java.util.List;

/**
 * The parked rows that were brought back and merely wait, for a destination that is away or behind
 * a breaker. A row is its owner's only from its sending to its outcome; until then an operator may
 * discard it, erase its message or take a request back. So those that have waited are let go and
 * read again before they are sent, and each of them can be taken out. Held ones stay: nobody asks
 * for those, and their key waits for them. Not thread-safe.
 */
final class WaitingRows {

  private final RouteQueue waiting;
  private final Breakers breakers;
  private final Suspects<Delivery> suspects;
  private final RouteParking parking;
  private final List<ParkedPlace> letGo = new ArrayList<>();

  WaitingRows(
      RouteQueue waiting, Breakers breakers, Suspects<Delivery> suspects, RouteParking parking) {
    this.waiting = waiting;
    this.breakers = breakers;
    this.suspects = suspects;
    this.parking = parking;
  }

  /** Lets go those that have waited for the destination, but suspects: they have to probe. */
  void haveWaited() {
    waiting.removeIf(this::letGo);
  }

  /** Lets go the rows among what a breaker has kept back, but suspects; returns the rest. */
  List<Delivery> withoutRows(List<Delivery> released) {
    List<Delivery> rest = new ArrayList<>(released);
    rest.removeIf(this::letGo);
    return rest;
  }

  /** Takes a row out, and returns whether it merely waited. */
  boolean take(Place place) {
    Delivery queued = waiting.take(delivery -> delivery.isOf(place));
    Delivery row = queued == null ? breakers.takeRow(place) : queued;
    if (row == null) {
      return false;
    }
    suspects.forget(row);
    parking.rows().putBack(row);
    return true;
  }

  /** Returns the places of those that were let go and not read again yet. */
  List<ParkedPlace> letGo() {
    return letGo;
  }

  /** Notes that those that were let go have been read again, as far as they are still due. */
  void readAgain() {
    letGo.clear();
  }

  private boolean letGo(Delivery delivery) {
    ParkedMessage row = delivery.parked();
    if (row == null || delivery.isHeld() || suspects.contains(delivery)) {
      return false;
    }
    parking.rows().putBack(delivery);
    return letGo.add(ParkedPlace.of(row));
  }
}
