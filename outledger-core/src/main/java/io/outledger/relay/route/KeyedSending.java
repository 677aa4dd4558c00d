// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
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
    // At the gate it would stand before those kept back already.
    if (!keepBackBehindKey(delivery) && enter(delivery)) {
      sendOrNext(delivery);
    }
  }

  /** A message is not parked, either, while an earlier one of its key is kept back. */
  private boolean keepBackBehindKey(Delivery delivery) {
    return breakers.keepsKeyOf(delivery) && breakers.keepBack(delivery);
  }

  /** Sends a message that a breaker has just released, unless it must be parked by now. */
  void sendReleased(Delivery delivery) {
    if (enter(delivery) && !trySend(delivery, true)) {
      sendOrNext(gate.leave(delivery));
    }
  }

  /** Takes back what has not begun, with what is queued behind it. */
  List<Delivery> recall() {
    List<Delivery> back = new ArrayList<>(client.recall());
    for (Delivery each : List.copyOf(back)) {
      back.addAll(gate.dissolve(each));
    }
    return back;
  }

  /** Returns whether nothing ever queues behind an earlier message of its key. */
  boolean queuesNothing() {
    return gate.isOpen();
  }

  /**
   * Sends what is queued behind a message that has its outcome, or parks it where its key is
   * blocked.
   *
   * @param mayPublish asked before each
   * @return what is left of it, in order, once that may not be
   */
  List<Delivery> sendNext(Delivery settled, BooleanSupplier mayPublish) {
    Delivery next = gate.leave(settled);
    while (next != null && mayPublish.getAsBoolean()) {
      if (trySend(next, false)) {
        return List.of();
      }
      next = gate.leave(next);
    }
    return next == null ? List.of() : withQueuedBehind(next);
  }

  private List<Delivery> withQueuedBehind(Delivery first) {
    List<Delivery> all = new ArrayList<>(List.of(first));
    all.addAll(gate.dissolve(first));
    return all;
  }

  /** Takes all that is queued behind a message that has its outcome, while nothing may be sent. */
  List<Delivery> takeQueuedBehind(Delivery settled) {
    return gate.dissolve(settled);
  }

  /** Takes all that is queued behind others. */
  List<Delivery> takeQueued() {
    return gate.clear();
  }

  /**
   * Has a rejected message wait behind an earlier one of its key that is kept back or queued again:
   * parked now, it would be sent before that one. The rejection counts for nothing.
   *
   * @return whether there is an earlier one
   */
  boolean joinsEarlier(Delivery rejected, RouteQueue waiting) {
    boolean isKeptBefore = breakers.keepsEarlierOf(rejected);
    boolean isQueuedBefore = gate.isOpen() && !isKeptBefore && waiting.hasEarlierOf(rejected);
    if (isKeptBefore || isQueuedBefore) {
      breakers.probeEnded(rejected);
    }
    if (isQueuedBefore) {
      waiting.addInOrder(List.of(rejected));
    }
    return isQueuedBefore || (isKeptBefore && breakers.keepBack(rejected));
  }

  private boolean enter(Delivery delivery) {
    return !order.keepBack(delivery) && gate.enter(delivery);
  }

  /** Sends a message that its key lets pass, or else the next one queued behind it. */
  private void sendOrNext(@Nullable Delivery delivery) {
    Delivery current = delivery;
    while (current != null && !trySend(current, false)) {
      current = gate.leave(current);
    }
  }

  private boolean trySend(Delivery delivery, boolean isReleased) {
    if ((!isReleased && keepBackBehindKey(delivery))
        || order.postponeUnsent(delivery, parking.mayBeSent(delivery))
        || parking.parkIfBlocked(delivery)
        || parkIfPositionIsBusy(delivery)
        || (!isReleased && breakers.keepBack(delivery))) {
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
