// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.Message;
import io.outledger.store.Declaration;
import io.outledger.store.Declaration.Takes;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is declared of a subscription and its owner does not have. A message that such a declaration
 * may take is never settled for its route: it is parked until an instance that has the route owns
 * the subscription.
 */
final class LackedDeclarations {

  private static final long UNKNOWN = -1;

  private final Declaring own;
  private Map<String, List<Declaration>> lackedByRoute = Map.of();

  /** All that is declared, where a filter is lacked; else nothing. */
  private Map<String, List<Declaration>> filteredByRoute = Map.of();

  private Map<Declaration, Long> lacked = Map.of();
  private long revision = UNKNOWN;
  private long revisionAtStart = UNKNOWN;

  LackedDeclarations(Declaring own) {
    this.own = own;
  }

  /**
   * Returns whether a page shows something else than is known: more, or less, where the table was
   * emptied or restored.
   */
  boolean differs(long shown) {
    return shown != revision;
  }

  /** Takes what is declared, and returns whether what this owner lacks has changed. */
  boolean take(Declarations declared) {
    revision = declared.revision();
    revisionAtStart = revisionAtStart == UNKNOWN ? revision : revisionAtStart;
    Set<Declaration> before = lacked.keySet();
    Map<Declaration, Long> now = new LinkedHashMap<>(declared.current());
    now.keySet().removeIf(own::covers);
    lacked = now;
    lackedByRoute = byRoute(now.keySet());
    boolean lacksFilter = now.keySet().stream().anyMatch(each -> each.takes() == Takes.FILTER);
    filteredByRoute = lacksFilter ? byRoute(declared.current().keySet()) : Map.of();
    return !before.equals(now.keySet());
  }

  private static Map<String, List<Declaration>> byRoute(Set<Declaration> declarations) {
    Map<String, List<Declaration>> routes = new TreeMap<>();
    for (Declaration each : declarations) {
      if (each.takes() != Takes.FILTER) {
        routes.computeIfAbsent(each.route(), route -> new ArrayList<>()).add(each);
      }
    }
    return routes;
  }

  boolean isEmpty() {
    return lacked.isEmpty();
  }

  Set<Declaration> all() {
    return lacked.keySet();
  }

  /** Returns the routes that may have to have a message parked. */
  Set<String> routes() {
    return filteredByRoute.isEmpty() ? lackedByRoute.keySet() : filteredByRoute.keySet();
  }

  /** Returns whether an instance that has some of it has shown up since this owner began. */
  boolean isOnOffer() {
    return lacked.values().stream().anyMatch(at -> at > revisionAtStart);
  }

  /**
   * Returns the declaration for which a message is to be parked in a route; null where there is
   * none.
   *
   * @param fate what becomes of the message in the owner's own route of that name
   */
  @Nullable Declaration keeps(String route, Message message, Fate fate) {
    Map<String, List<Declaration>> declared =
        fate == Fate.FILTERED ? filteredByRoute : lackedByRoute;
    for (Declaration each : declared.getOrDefault(route, List.of())) {
      boolean isMeant = fate != Fate.TAKEN || each.takes() == Takes.TYPE;
      if (isMeant && each.mayTake(message)) {
        return each;
      }
    }
    return null;
  }

  /** What becomes of a message in a route without what is lacked. */
  enum Fate {
    /** The owner's filter leaves it out: only another filter would let it pass. */
    FILTERED,
    /** The route does not take it, or there is no such route. */
    NOT_TAKEN,
    /** The route takes it, so it has the handler, unless that goes by types and lacks this one. */
    TAKEN
  }
}
