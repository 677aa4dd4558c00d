// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

/**
 * Tells when a route's breakers open and close.
 *
 * @param route its name
 * @param listener who is told
 */
record BreakerEvents(String route, RelayListener listener) {

  /** A suspect rejection may have changed the state of its message's breaker. */
  void rejected(Delivery delivery, String reason, Breaker.State before, Breaker.State after) {
    if (before != Breaker.State.OPEN && after == Breaker.State.OPEN) {
      breakerOpened(delivery, reason);
    } else if (before == Breaker.State.OPEN && after == Breaker.State.RATE_LIMITED) {
      breakerClosed(delivery, false);
    }
  }

  private void breakerOpened(Delivery delivery, String reason) {
    Breakers.Destination suspected = Breakers.Destination.of(delivery);
    listener.on(new RelayEvent.BreakerOpened(route, suspected.topic(), suspected.type(), reason));
  }

  void breakerClosed(Delivery delivery, boolean recovered) {
    Breakers.Destination destination = Breakers.Destination.of(delivery);
    listener.on(
        new RelayEvent.BreakerClosed(route, destination.topic(), destination.type(), recovered));
  }
}
