// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends a route's messages, each as soon as its key lets it: not while an earlier one of the key is
 * kept back, is parked or, where the publisher takes one at a time, is on its way.
 */
final class KeyedSending {

  private final RouteClient client;
  private final KeyGate gate;
  private final OutcomeOrder order;
  private final Breakers breakers;
  private final RouteParking parking;

  KeyedSending(
      RouteClient client,
      KeyGate gate,
      OutcomeOrder order,
      Breakers breakers,
      RouteParking parking) {
    this.client = client;
    this.gate = gate;
    this.order = order;
    this.breakers = breakers;
    this.parking = parking;
  }

  /** Sends a message, keeps it back, queues it behind its key, or parks it. */
  void send(Delivery delivery) {
    if (breakers.keepsKeyOf(delivery)) {
      breakers.keepBack(delivery); // at the gate it would stand before those kept back already
    } else if (enter(delivery)) {
      sendOrNext(delivery);
    }
  }

  /** Sends a message that a breaker has just released, unless it must be parked by now. */
  void sendReleased(Delivery delivery) {
    if (enter(delivery)) {
      if (parking.mustPark(delivery) || client.isBusyAt(delivery.position())) {
        sendOrNext(delivery);
      } else {
        client.send(delivery);
      }
    }
  }

  /** Returns whether nothing ever queues behind an earlier message of its key. */
  boolean queuesNothing() {
    return gate.isOpen();
  }

  /** Sends what is queued behind a message that has its outcome. */
  void sendNext(Delivery settled) {
    sendOrNext(gate.leave(settled));
  }

  /** Takes all that is queued behind a message that has its outcome, while nothing may be sent. */
  List<Delivery> takeQueuedBehind(Delivery settled) {
    return gate.dissolve(settled);
  }

  /** Takes all that is queued behind others. */
  List<Delivery> takeQueued() {
    return gate.clear();
  }

  private boolean enter(Delivery delivery) {
    return !order.keepBack(delivery) && gate.enter(delivery);
  }

  /** Sends a message that its key lets pass, or else the next one queued behind it. */
  private void sendOrNext(@Nullable Delivery delivery) {
    Delivery current = delivery;
    while (current != null && !trySend(current)) {
      current = gate.leave(current);
    }
  }

  private boolean trySend(Delivery delivery) {
    if (parking.parkIfBlocked(delivery)
        || parkIfPositionIsBusy(delivery)
        || breakers.keepBack(delivery)) {
      breakers.probeEnded(delivery); // a probe that is never sent would be awaited forever
      return false;
    }
    client.send(delivery);
    return true;
  }

  /**
   * An outcome names a position. Two messages have one where the ledger was emptied while the first
   * was parked: while one of them is on its way, the other waits.
   */
  private boolean parkIfPositionIsBusy(Delivery delivery) {
    boolean isBusy = client.isBusyAt(delivery.position());
    if (isBusy) {
      parking.parkBesideOther(delivery);
    }
    return isBusy;
  }
}
