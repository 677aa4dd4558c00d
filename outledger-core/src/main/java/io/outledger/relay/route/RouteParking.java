// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.Subject;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.route.RouteRows.Failure;
import io.outledger.store.Declaration;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Parks a route's rejected messages and those behind them, and unparks them. */
final class RouteParking {

  // Rows of a topic that is gone for long come back for nothing, all of them: so retry them rarely.
  private static final Backoff ASIDE_AGAIN =
      new Backoff(Duration.ofSeconds(30), Duration.ofSeconds(30));

  private final String route;
  private final RelayContext context;
  private final PendingSave pendingSave;
  private final KeyBlocks blocks;
  private final RouteRows stored;

  /** The rows of messages that other routes had not settled when the lease was taken. */
  private final Set<ParkedPlace> loaded = new HashSet<>();

  private final ReturningRows rows;

  RouteParking(
      String route,
      RelayContext context,
      PendingSave pendingSave,
      KeyBlocks blocks,
      ReturningRows rows) {
    this.rows = rows;
    this.route = route;
    this.context = context;
    this.pendingSave = pendingSave;
    this.blocks = blocks;
    this.stored = new RouteRows(route, context.options().retry().deadLetter(), pendingSave, rows);
  }

  /** Notes that a message, which is to be read again for other routes, is parked in this one. */
  void load(ParkedPlace place) {
    loaded.add(place);
  }

  /**
   * Returns whether a message that is read is parked here already: it comes back out of its row.
   */
  boolean hasRow(LedgerMessage read) {
    return !loaded.isEmpty()
        && loaded.contains(new ParkedPlace(route, read.position(), read.message().id()));
  }

  /** Notes that a parked message is brought back, until it is parked again or has its end. */
  void broughtBack(Delivery delivery) {
    rows.cameBack(delivery);
    String key = delivery.key();
    if (key != null && delivery.blocksKey()) {
      blocks.trying(key, !delivery.isHeld());
    }
  }

  /** Parks a message that waits behind a parked message of its key. */
  void hold(Delivery delivery, String key) {
    stored.park(delivery, ParkedState.HELD, 0, null, null);
    blocks.added(key, false);
    rows.heldBehind();
    context.listener().on(new RelayEvent.Held(delivery.in(route)));
  }

  /** Returns whether a message is to be parked and not sent. */
  boolean mustPark(Delivery delivery) {
    return mustBeHeld(delivery)
        || mustStayParked(delivery)
        || delivery.lacked() != null
        || delivery.refused() != null;
  }

  /** Parks a message that must not be sent, and returns whether it did. */
  boolean parkIfBlocked(Delivery delivery) {
    if (parkBehindKey(delivery)) {
      return true;
    }
    if (delivery.lacked() != null) {
      keepForOther(delivery, delivery.lacked());
      return true;
    }
    if (delivery.refused() != null) {
      reject(delivery, delivery.refused());
      return true;
    }
    return false;
  }

  /**
   * Parks a message that this owner must not settle: another instance has declared a handler for
   * it, and gets it as any that is due when it owns the subscription.
   */
  void keepForOther(Delivery delivery, Declaration declared) {
    parkUntried(delivery, "waits for an instance that has " + declared);
  }

  private boolean parkBehindKey(Delivery delivery) {
    if (mustBeHeld(delivery)) {
      hold(delivery, String.valueOf(delivery.key()));
      return true;
    }
    if (mustStayParked(delivery)) {
      rows.wentBack(delivery);
      blocks.stayed(String.valueOf(delivery.key()));
      return true;
    }
    return false;
  }

  private boolean mustBeHeld(Delivery delivery) {
    String key = delivery.key();
    return delivery.parked() == null && key != null && blocks.isBlocked(key);
  }

  /** A held row behind one that stays parked, or is tried later, stays where it is. */
  private boolean mustStayParked(Delivery delivery) {
    String key = delivery.key();
    return delivery.isHeld() && key != null && blocks.heldMustStay(key);
  }

  /** Parks a message whose destination rejects everything. */
  void parkUntriedAsRejected(Delivery delivery) {
    parkUntried(delivery, "not tried: the destination rejects every message of this type");
  }

  /** Parks a message for a while: one that had its position in another ledger is on its way. */
  void parkBesideOther(Delivery delivery) {
    parkUntried(
        delivery,
        "not tried: the message that had its position before the ledger was emptied is on its way",
        context.options().retry().backoff());
  }

  /** Parks a message that is not to be tried now: behind its key, or until its time comes. */
  void parkUntried(Delivery delivery, String reason) {
    boolean isFirst = delivery.parked() == null;
    parkUntried(delivery, reason, isFirst ? context.options().retry().backoff() : ASIDE_AGAIN);
  }

  private void parkUntried(Delivery delivery, String reason, Backoff backoff) {
    if (parkBehindKey(delivery)) {
      return;
    }
    Duration delay = backoff.delay(1, context.random());
    if (delivery.parked() == null) {
      parkForRetry(delivery, 0, reason, delay);
    } else {
      failAgain(delivery, delivery.attempts(), reason, delay);
    }
    tellParked(delivery, delivery.attempts(), reason);
  }

  /**
   * Parks what another route has published and this one has not begun, and all that waits here
   * before it: read again by the next owner, it would be published there once more.
   *
   * @param left all that waits in this route, in order of position
   */
  void parkForSuccessor(List<Delivery> left) {
    int end = left.size();
    while (end > 0 && !pendingSave.isPublishedInPart(left.get(end - 1).position())) {
      end--;
    }
    for (Delivery delivery : left.subList(0, end)) {
      if (delivery.parked() == null) {
        parkUntried(delivery, "not tried before the relay stopped");
      }
    }
  }

  /** Parks a rejected message, or notes another failed attempt of a parked one. */
  void reject(Delivery delivery, Rejected rejected) {
    RetryPolicy retry = context.options().retry();
    int attempts = delivery.attempts() + 1;
    String reason = RouteRows.shortened(rejected.reason());
    boolean dead = rejected.kind() == Rejected.Kind.FINAL || attempts >= retry.attemptsMax();
    if (dead) {
      die(delivery, attempts, reason);
      return;
    }
    Duration delay = retry.backoff().delay(attempts, context.random());
    if (delivery.parked() == null) {
      parkForRetry(delivery, attempts, reason, delay);
    } else {
      failAgain(delivery, attempts, reason, delay);
    }
    tellParked(delivery, attempts, reason);
  }

  private void tellParked(Delivery delivery, int attempts, String reason) {
    context.listener().on(new RelayEvent.Parked(delivery.in(route), attempts, reason));
  }

  /** Removes a parked message that was published at last. */
  void recovered(Delivery delivery) {
    stored.remove(delivery);
    unblock(delivery);
    context.listener().on(new RelayEvent.Recovered(delivery.in(route)));
  }

  /** Removes a dead or waiting message that an operator has discarded. */
  void discard(ParkedMessage message) {
    stored.discard(message);
    String key = message.message().key();
    if (message.blocks() && key != null) {
      blocks.trying(key, true);
      blocks.removed(key);
    }
    Subject subject = new Subject(message.message().id(), key, message.position(), route);
    context.listener().on(new RelayEvent.Discarded(subject));
  }

  private void die(Delivery delivery, int attempts, String reason) {
    boolean staysBlocked =
        context.options().retry().deadLetter() == RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED;
    String key = delivery.key();
    if (delivery.parked() == null) {
      stored.park(delivery, ParkedState.DEAD, attempts, reason, null);
      if (staysBlocked && key != null) {
        blocks.added(key, true);
      }
    } else {
      boolean blocksKey = staysBlocked && delivery.blocksKey();
      stored.fail(delivery, new Failure(ParkedState.DEAD, blocksKey, attempts, reason, null));
      if (blocksKey && key != null) {
        blocks.parkedAgain(key, true);
      } else {
        unblock(delivery);
      }
    }
    context.listener().on(new RelayEvent.Died(delivery.in(route), attempts, reason));
  }

  /** Two rows of a key that wait for times of their own would overtake each other: one is held. */
  private void parkForRetry(Delivery delivery, int attempts, String reason, Duration delay) {
    String key = delivery.key();
    boolean waits = key == null || !blocks.waits(key);
    stored.park(
        delivery,
        waits ? ParkedState.RETRYING : ParkedState.HELD,
        attempts,
        reason,
        waits ? delay : null);
    if (key != null) {
      blocks.added(key, waits);
    }
  }

  private void failAgain(Delivery delivery, int attempts, String reason, Duration delay) {
    String key = delivery.key();
    if (key == null || !delivery.blocksKey()) {
      stored.fail(delivery, new Failure(ParkedState.RETRYING, false, attempts, reason, delay));
      return;
    }
    boolean waits = !blocks.waits(key);
    ParkedState state = waits ? ParkedState.RETRYING : ParkedState.HELD;
    stored.fail(delivery, new Failure(state, true, attempts, reason, waits ? delay : null));
    blocks.parkedAgain(key, waits);
  }

  private void unblock(Delivery delivery) {
    String key = delivery.key();
    if (delivery.blocksKey() && key != null) {
      blocks.removed(key);
    }
  }
}
