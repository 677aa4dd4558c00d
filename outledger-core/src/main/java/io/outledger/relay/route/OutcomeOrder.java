// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import java.util.List;

/**
 * The outcomes of a route's messages against the order of their keys: postpones rejections that
 * come before the outcome of an earlier message, and tells which messages have been overtaken.
 */
final class OutcomeOrder {

  private final String route;
  private final RelayListener listener;
  private final RouteClient client;
  private final OvertakenMessages overtaken = new OvertakenMessages();
  private final OutOfOrderRejections early = new OutOfOrderRejections();

  OutcomeOrder(String route, RelayListener listener, RouteClient client) {
    this.route = route;
    this.listener = listener;
    this.client = client;
  }

  /**
   * Keeps a message back where a rejection of an earlier one of its key waits.
   *
   * @return whether it was kept back
   */
  boolean keepBack(Delivery delivery) {
    return early.keepBack(delivery);
  }

  /**
   * Postpones a rejection where an earlier message of its key is on its way or has come back.
   *
   * @param returned those that have come back, and are to be sent again
   * @return whether it was postponed
   */
  boolean postpone(RouteClient.Arrived arrived, List<Delivery> returned) {
    if (!(arrived.outcome() instanceof Outcome.Rejected)) {
      return false;
    }
    Delivery delivery = arrived.delivery();
    overtaken.rejected(delivery, client.followersOf(delivery));
    boolean comesEarly =
        client.hasEarlier(delivery) || returned.stream().anyMatch(delivery::isBehind);
    if (comesEarly) {
      early.add(arrived);
    }
    return comesEarly;
  }

  /** Takes the postponed rejections before which nothing of their key is on its way any more. */
  List<RouteClient.Arrived> takeDecided() {
    return early.isEmpty() ? List.of() : early.take(client::hasEarlier);
  }

  /** Takes the postponed rejections before which nothing of their key has come back. */
  List<RouteClient.Arrived> takeNotBehind(List<Delivery> returned) {
    return early.take(rejected -> returned.stream().anyMatch(rejected::isBehind));
  }

  /** Takes a message that was not sent, because it follows a rejected one: it may try again. */
  void free(Delivery delivery) {
    early.free(delivery);
  }

  /** Takes the messages kept back that may try again, in order. */
  List<Delivery> takeFreed() {
    return early.takeFreed();
  }

  /** Takes all that is left, to be sent again behind what it waited for. */
  List<Delivery> clear() {
    return early.clear();
  }

  /** Tells which messages a published one has overtaken. */
  void published(Delivery delivery) {
    tell(overtaken.published(delivery));
  }

  /** Tells which messages may have been overtaken by those whose fate an outage hides. */
  void outageBegins() {
    tell(overtaken.takeUnknown());
  }

  /** Tells which messages were, or may have been, overtaken when the grant ends. */
  void end() {
    tell(overtaken.end(client));
  }

  private void tell(List<Delivery> overtaken) {
    for (int i = 0; i < overtaken.size(); i++) { // almost always none: not even an iterator
      listener.on(new RelayEvent.OvertakenByKey(overtaken.get(i).in(route)));
    }
  }
}
