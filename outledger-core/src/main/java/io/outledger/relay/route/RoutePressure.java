// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.relay.context.RelayContext;
import io.outledger.store.Paused;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Keeps what a route has taken and not sent within its share of the window, by parking what is
 * beyond it, so that the other routes continue.
 */
final class RoutePressure {

  private final RelayContext context;
  private final RouteShare share;
  private final PendingSave pendingSave;
  private final RouteQueue waiting;
  private final Breakers breakers;
  private final RouteParking parking;

  RoutePressure(
      RelayContext context,
      SharedByRoutes shared,
      RouteQueue waiting,
      Breakers breakers,
      RouteParking parking) {
    this.context = context;
    this.share = shared.share();
    this.pendingSave = shared.pendingSave();
    this.waiting = waiting;
    this.breakers = breakers;
    this.parking = parking;
  }

  /** Parks what breakers keep back beyond the share, but nothing of a key that is on its way. */
  void parkKeptBack(RouteClient client) {
    if (share.isExceededBy(breakers.load())) {
      breakers.takeOverflow(share, client.keysInFlight()).forEach(parking::parkUntriedAsRejected);
    }
  }

  /**
   * Parks what waits, beyond the share, for a destination that has been down for long, while
   * nothing is on its way; until more keys have parked messages than memory is to hold.
   *
   * @param blockedKeys how many keys have parked messages
   * @param othersGoOn whether there is another route that goes on
   * @return what was parked
   */
  List<Delivery> parkForOutage(Outage outage, int blockedKeys, boolean othersGoOn) {
    if (outage.hasEarlier() && !waiting.isBeyond(share, breakers)) {
      outage.forgetEarlier();
    }
    Duration patience = context.options().outage().holdsUpOthersMax();
    if (!outage.hasLasted(patience, context.time().nanoTime())) {
      return List.of();
    }
    int most = (othersGoOn ? share.keysMax() : share.messages()) - blockedKeys;
    List<Delivery> aside = waiting.takeBeyond(share, breakers, Math.min(most, pendingSave.room()));
    if (waiting.isEmpty()) {
      aside.addAll(breakers.takeOverflow(share, Set.of()));
    }
    Paused paused = outage.paused();
    String why = paused == null ? "the destination is unreachable" : paused.toString();
    aside.forEach(one -> parking.parkUntried(one, "not tried: " + why));
    return aside;
  }

  /** Parks what the next owner must not read again. Nothing is in flight any more. */
  void parkForSuccessor() {
    waiting.addInOrder(breakers.takeOverflow(RouteShare.NOTHING, Set.of()));
    parking.parkForSuccessor(waiting.takeAll());
  }
}
