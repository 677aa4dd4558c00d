// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.relay.context.RelayContext;
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
  private final RouteQueue waiting;
  private final Breakers breakers;
  private final RouteParking parking;

  RoutePressure(
      RelayContext context,
      RouteShare share,
      RouteQueue waiting,
      Breakers breakers,
      RouteParking parking) {
    this.context = context;
    this.share = share;
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
   * nothing is on its way; until as many keys wait for it as memory is to hold.
   *
   * @param blockedKeys how many keys wait for parked messages
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
    List<Delivery> aside = waiting.takeBeyond(share, breakers, most);
    if (waiting.isEmpty()) {
      aside.addAll(breakers.takeOverflow(share, Set.of()));
    }
    aside.forEach(one -> parking.parkUntried(one, "not tried: " + outage.why()));
    return aside;
  }

  /** Parks what the next owner must not read again. Nothing is in flight any more. */
  void parkForSuccessor() {
    waiting.addInOrder(breakers.takeOverflow(RouteShare.NOTHING, Set.of()));
    parking.parkForSuccessor(waiting.takeAll());
  }
}
