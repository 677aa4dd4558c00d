// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The outcomes of a route's messages against the order of their keys: postpones rejections that
 * come before the outcome of an earlier message, and tells which messages have been overtaken.
 *
 * <p>Were the later one parked at once, the earlier, should it have to be sent again, would be held
 * behind it and come after it; so the rejection waits for the other's outcome, and counts for
 * nothing until then. What follows of its key waits with it: sent now, it would overtake a message
 * known to be rejected. The same holds for what is not sent at all, because this relay itself
 * rejects it.
 */
final class OutcomeOrder {

  private final String route;
  private final RelayListener listener;
  private final RouteClient client;
  private final OvertakenMessages overtaken = new OvertakenMessages();
  private final List<RouteClient.Arrived> postponed = new ArrayList<>();
  private final List<Delivery> unsent = new ArrayList<>();
  private final List<Delivery> followers = new ArrayList<>();
  private final List<Delivery> freed = new ArrayList<>();

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
    boolean follows = isBehindPostponed(delivery);
    if (follows) {
      followers.add(delivery);
    }
    return follows;
  }

  private boolean isBehindPostponed(Delivery delivery) {
    return isAnyPostponed()
        && (unsent.stream().anyMatch(delivery::isBehind)
            || postponed.stream().anyMatch(early -> delivery.isBehind(early.delivery())));
  }

  /**
   * Keeps a message back that this relay does not send, where an earlier one of its key is on its
   * way: parked now, it would be before the other, should that one have to be sent again.
   *
   * @param mayBeSent whether it would be sent, were it not for the earlier one
   * @return whether it was kept back
   */
  boolean postponeUnsent(Delivery delivery, boolean mayBeSent) {
    boolean comesEarly = !mayBeSent && client.hasEarlier(delivery);
    if (comesEarly) {
      unsent.add(delivery);
    }
    return comesEarly;
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
    overtaken.arrived(arrived, client);
    boolean comesEarly =
        client.hasEarlier(delivery)
            || returned.stream().anyMatch(delivery::isBehind)
            || freed.stream().anyMatch(delivery::isBehind)
            || isBehindPostponed(delivery);
    if (comesEarly) {
      postponed.add(arrived);
    }
    return comesEarly;
  }

  /** Takes the postponed rejections before which nothing of their key is on its way any more. */
  List<RouteClient.Arrived> takeDecided() {
    return isAnyPostponed() ? take(client::hasEarlier) : List.of();
  }

  private boolean isAnyPostponed() {
    return !postponed.isEmpty() || !unsent.isEmpty();
  }

  /** Takes the postponed rejections before which nothing of their key has come back. */
  List<RouteClient.Arrived> takeNotBehind(List<Delivery> returned) {
    return take(rejected -> returned.stream().anyMatch(rejected::isBehind));
  }

  /**
   * Takes those that need not wait, in order: so they are to be parked. What is unsent and need not
   * wait is freed, and then parked.
   */
  private List<RouteClient.Arrived> take(Predicate<Delivery> mustWait) {
    List<RouteClient.Arrived> taken =
        new ArrayList<>(
            postponed.stream().filter(early -> !mustWait.test(early.delivery())).toList());
    postponed.removeAll(taken);
    taken.sort(Comparator.comparing(RouteClient.Arrived::delivery, Delivery.IN_ORDER));
    int before = freed.size();
    unsent.removeIf(delivery -> !mustWait.test(delivery) && freed.add(delivery));
    if (!taken.isEmpty() || freed.size() > before) {
      freed.addAll(followers);
      followers.clear();
    }
    return taken;
  }

  /** Takes a message that was not sent, because it follows a rejected one: it may try again. */
  void free(Delivery delivery) {
    freed.add(delivery);
  }

  /** Takes the followers that may try again, in order; some may have to be kept back once more. */
  List<Delivery> takeFreed() {
    if (freed.isEmpty()) {
      return List.of();
    }
    List<Delivery> taken = new ArrayList<>(freed);
    taken.sort(Delivery.IN_ORDER);
    freed.clear();
    return taken;
  }

  /** Takes all that is left, to be sent again behind what it waited for. */
  List<Delivery> clear() {
    List<Delivery> left = new ArrayList<>(takeFreed());
    left.addAll(followers);
    followers.clear();
    postponed.forEach(rejected -> left.add(rejected.delivery()));
    postponed.clear();
    left.addAll(unsent);
    unsent.clear();
    return left;
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
