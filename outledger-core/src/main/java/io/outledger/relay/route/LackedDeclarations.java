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
  private Map<String, List<Declaration>> byRoute = Map.of();
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
    Map<Declaration, Long> now = new LinkedHashMap<>();
    Map<String, List<Declaration>> routes = new TreeMap<>();
    declared
        .current()
        .forEach(
            (each, at) -> {
              if (!own.covers(each)) {
                now.put(each, at);
                routes.computeIfAbsent(each.route(), route -> new ArrayList<>()).add(each);
              }
            });
    lacked = now;
    byRoute = routes;
    return !before.equals(now.keySet());
  }

  boolean isEmpty() {
    return lacked.isEmpty();
  }

  Set<Declaration> all() {
    return lacked.keySet();
  }

  /** Returns the routes of which something is lacked. */
  Set<String> routes() {
    return byRoute.keySet();
  }

  /** Returns whether an instance that has some of it has shown up since this owner began. */
  boolean isOnOffer() {
    return lacked.values().stream().anyMatch(at -> at > revisionAtStart);
  }

  /**
   * Returns the declaration for which a message is to be parked in a route; null where there is
   * none.
   *
   * @param isAccepted whether the owner's own route of that name takes the message: then it has the
   *     handler, unless that goes by types and lacks this one
   */
  @Nullable Declaration keeps(String route, Message message, boolean isAccepted) {
    for (Declaration each : byRoute.getOrDefault(route, List.of())) {
      if ((each.takes() == Takes.TYPE || !isAccepted) && each.mayTake(message)) {
        return each;
      }
    }
    return null;
  }
}
