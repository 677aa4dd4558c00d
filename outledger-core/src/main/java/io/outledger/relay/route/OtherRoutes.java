// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.relay.context.RelayContext;
import io.outledger.relay.route.LackedDeclarations.Fate;
import io.outledger.store.Declaration;
import io.outledger.store.LedgerMessage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The routes of a subscription that its owner does not have. Other instances have declared them, or
 * messages are parked in them: they can be parked, held and discarded there, and nothing else.
 */
final class OtherRoutes {

  private final RelayContext context;
  private final PendingSave pendingSave;
  private final LackedDeclarations lacked;
  private final KnownPauses pauses;
  private final Map<String, RouteParking> routes = new HashMap<>();

  OtherRoutes(
      RelayContext context,
      PendingSave pendingSave,
      LackedDeclarations lacked,
      KnownPauses pauses) {
    this.context = context;
    this.pendingSave = pendingSave;
    this.lacked = lacked;
    this.pauses = pauses;
  }

  /** Returns the parking of one of them, whether or not anything is parked in it. */
  RouteParking get(String name) {
    return routes.computeIfAbsent(
        name, route -> new RouteParking(route, context, pendingSave, pauses, RouteShare.NOTHING));
  }

  /**
   * Returns what of these routes may take a message: for each route one declaration.
   *
   * @param isFiltered whether the owner's filter leaves the message out
   * @param own the owner's routes, which decide for themselves
   */
  Map<String, Declaration> wanting(LedgerMessage origin, boolean isFiltered, Map<String, ?> own) {
    Fate fate = isFiltered ? Fate.FILTERED : Fate.NOT_TAKEN;
    Map<String, Declaration> wanting = new LinkedHashMap<>();
    for (String route : lacked.routes()) {
      Declaration declared =
          own.containsKey(route) ? null : lacked.keeps(route, origin.message(), fate);
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
      parking.keepForOther(Delivery.of(origin, null, Preparation.of(origin)), declared);
    }
  }

  /** Takes note that everything pending has been saved. */
  void saved() {
    routes.values().forEach(route -> route.keys().saved());
  }
}
