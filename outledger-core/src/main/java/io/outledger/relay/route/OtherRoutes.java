// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.relay.context.RelayContext;
import io.outledger.store.Declaration;
import io.outledger.store.LedgerMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The routes of a subscription that its owner does not have. Other instances have declared them, or
 * messages are parked in them: they can be parked, held and discarded there, and nothing else. So
 * their keys need not be known: beyond a number of them, each message that has a key is held.
 */
final class OtherRoutes {

  private final RelayContext context;
  private final PendingSave pendingSave;
  private final LackedDeclarations lacked;
  private final KnownPauses pauses;
  private final int keysMax;
  private final Map<String, RouteParking> routes = new HashMap<>();

  /** Those of which it was asked whether more keys are blocked than were loaded. */
  private final Set<String> learned = new HashSet<>();

  /**
   * Makes them.
   *
   * @param keysMax of how many keys each remembers that they are blocked
   */
  OtherRoutes(RelayContext context, SharedByRoutes shared, int keysMax) {
    this.context = context;
    this.pendingSave = shared.pendingSave();
    this.lacked = shared.lacked();
    this.pauses = shared.pauses();
    this.keysMax = keysMax;
  }

  /**
   * Takes, of the routes that are lacked now, in which of them keys are blocked that were not
   * loaded.
   *
   * @param hasMore whether a route has such keys
   */
  void learn(Predicate<String> hasMore) {
    for (String route : lacked.routes()) {
      if (learned.add(route) && hasMore.test(route)) {
        get(route).keys().knowsEach(false);
      }
    }
  }

  /** Returns the parking of one of them, whether or not anything is parked in it. */
  RouteParking get(String name) {
    return routes.computeIfAbsent(
        name, route -> new RouteParking(route, context, pendingSave, pauses, RouteShare.NOTHING));
  }

  /**
   * Returns what of these routes may take a message: for each route one declaration.
   *
   * @param made what the owner's transforms have made of the message
   * @param own the owner's routes, which decide for themselves
   */
  Map<String, Declaration> wanting(LedgerMessage origin, Preparation made, Map<String, ?> own) {
    Map<String, Declaration> wanting = new LinkedHashMap<>();
    for (String route : lacked.routes()) {
      Declaration declared = own.containsKey(route) ? null : lacked.keeps(route, origin, made);
      if (declared != null) {
        wanting.put(route, declared);
      }
    }
    return wanting;
  }

  /** Parks a message for an instance that has the route, unless it is parked there already. */
  void park(LedgerMessage origin, Declaration declared) {
    RouteParking parking = get(declared.route());
    if (parking.hasRow(origin)) {
      pendingSave.settledByRoute(origin);
    } else {
      if (parking.keys().keys() >= keysMax) {
        parking.keys().knowsEach(false);
      }
      parking.keepForOther(Delivery.of(origin, null, Preparation.of(origin)), declared);
    }
  }

  /** Takes note that everything pending has been saved. */
  void saved() {
    routes.values().forEach(route -> route.keys().saved());
  }
}
