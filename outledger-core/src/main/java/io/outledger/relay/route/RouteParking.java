// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.parking.FailureRule;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.Subject;
import io.outledger.relay.options.Backoff;
import io.outledger.store.Declaration;
import io.outledger.store.FailedAttempt;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.Paused;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which of a route's messages are parked, how, and why, and tells the listener. {@link
 * ParkedRows} does it.
 */
final class RouteParking {

  // Rows of a topic that is gone for long come back for nothing, all of them: so retry them rarely.
  private static final Backoff ASIDE_AGAIN =
      new Backoff(Duration.ofSeconds(30), Duration.ofSeconds(30));

  private final String route;
  private final RelayContext context;
  private final PendingSave pendingSave;
  private final KnownPauses pauses;
  private final FailureRule rule;
  private final ParkedRows rows;

  /** The rows of messages that other routes had not settled when the lease was taken. */
  private final Set<ParkedPlace> loaded = new HashSet<>();

  /** Makes the parking of a route that the owner has. */
  RouteParking(String route, RelayContext context, SharedByRoutes shared) {
    this(route, context, shared.pendingSave(), shared.pauses(), shared.share());
  }

  /**
   * Makes it, with nothing parked.
   *
   * @param pauses what is paused
   * @param share bounds the rows that are underway at a time
   */
  RouteParking(
      String route,
      RelayContext context,
      PendingSave pendingSave,
      KnownPauses pauses,
      RouteShare share) {
    this.route = route;
    this.context = context;
    this.pendingSave = pendingSave;
    this.pauses = pauses;
    this.rule = new FailureRule(context.options().retry(), context.random());
    this.rows = new ParkedRows(route, pendingSave, new ReturningRows(share, context.time()));
  }

  /** Returns what is parked. */
  ParkedRows rows() {
    return rows;
  }

  /** Returns the keys that are blocked by what is parked. */
  KeyBlocks keys() {
    return rows.keys();
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

  /** Returns whether nothing but an earlier message of its key forbids that it is sent. */
  boolean mayBeSent(Delivery delivery) {
    return delivery.isToBeSent() && pauses.of(delivery.origin().message()) == null;
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
    Paused paused = pauses.of(delivery.origin().message());
    if (paused != null) {
      park(delivery, ParkedFailure.untilResumed(delivery.attempts(), "not tried: " + paused));
      return true;
    }
    if (delivery.refused() != null) {
      reject(delivery, delivery.refused(), FailedAttempt.UNTIMED);
      return true;
    }
    return false;
  }

  /** A held row behind one that stays parked, or is tried later, stays where it is. */
  boolean parkBehindKey(Delivery delivery) {
    String key = delivery.key();
    if (key == null) {
      return false;
    }
    if (delivery.parked() == null && rows.keys().isBlocked(key)) {
      rows.park(delivery, ParkedFailure.HELD);
      context.listener().on(new RelayEvent.Held(delivery.in(route)));
      return true;
    }
    if (delivery.isHeld() && rows.keys().heldMustStay(key)) {
      rows.putBack(delivery);
      return true;
    }
    return false;
  }

  /**
   * Parks a message that this owner must not settle: another instance has declared a handler for
   * it, and gets it when it owns the subscription. As behind a pause it is not tried, nor written,
   * until then.
   */
  void keepForOther(Delivery delivery, Declaration declared) {
    if (!parkBehindKey(delivery)) {
      String reason = "waits for an instance that has " + declared;
      park(delivery, ParkedFailure.untilResumed(delivery.attempts(), reason));
    }
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
    parkUntried(delivery, reason, aside(delivery));
  }

  private Backoff aside(Delivery delivery) {
    return delivery.parked() == null ? context.options().retry().backoff() : ASIDE_AGAIN;
  }

  private void parkUntried(Delivery delivery, String reason, Backoff backoff) {
    if (!parkBehindKey(delivery)) {
      Duration delay = backoff.delay(1, context.random());
      park(delivery, FailureRule.postponed(delivery.attempts(), reason, delay));
    }
  }

  /**
   * Parks what another route has published and this one has not begun, and all that waits here
   * before it: read again by the next owner, it would be published there once more.
   *
   * @param left all that waits in this route, in order of position
   */
  void parkForSuccessor(List<Delivery> left) {
    int end = left.size();
    while (end > 0 && !pendingSave.isPublishedInPart(left.get(end - 1).place())) {
      end--;
    }
    for (Delivery delivery : left.subList(0, end)) {
      if (delivery.parked() == null) {
        parkUntried(delivery, "not tried before the relay stopped");
      }
    }
  }

  /** Parks a rejected message, or notes another failed attempt of a parked one. */
  void reject(Delivery delivery, Rejected rejected, FailedAttempt attempt) {
    if (rejected.kind() == Rejected.Kind.NOT_YET) {
      Duration delay = aside(delivery).delay(1, context.random());
      park(delivery, FailureRule.postponed(delivery.attempts(), rejected.reason(), delay));
      return;
    }
    boolean isFinal = rejected.kind() == Rejected.Kind.FINAL;
    park(delivery, rule.failed(delivery.attempts(), isFinal, rejected.reason(), attempt));
  }

  private void park(Delivery delivery, ParkedFailure failure) {
    ParkedFailure as = rows.park(delivery, failure);
    Subject subject = delivery.in(route);
    String reason = String.valueOf(as.reason());
    context
        .listener()
        .on(
            as.state() == ParkedState.DEAD
                ? new RelayEvent.Died(subject, as.attempts(), reason)
                : new RelayEvent.Parked(subject, as.attempts(), reason));
  }

  /** Ends a row whose message was published at last. */
  void recovered(Delivery delivery) {
    rows.end(delivery);
    context.listener().on(new RelayEvent.Recovered(delivery.in(route), delivery.attempt()));
  }

  /** Ends a row that the transforms' filter, or the route, does not want any more. */
  void notTaken(Delivery delivery) {
    rows.bringBack(delivery);
    rows.end(delivery);
    context.listener().on(new RelayEvent.NotTaken(delivery.in(route)));
  }

  /** Returns whether a held row may be underway, with others of its key. */
  boolean isTrying(ParkedMessage row) {
    String key = row.message().key();
    return row.state() == ParkedState.HELD && key != null && rows.keys().isAnyUnderway(key);
  }

  /** Ends the row of a message that an operator has discarded or withdrawn. */
  void discard(ParkedMessage row) {
    rows.discard(row);
    Subject subject = new Subject(row.message().id(), row.message().key(), row.position(), route);
    context.listener().on(new RelayEvent.Discarded(subject));
  }
}
