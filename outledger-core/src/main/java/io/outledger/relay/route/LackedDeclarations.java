// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.Message;
import io.outledger.relay.options.Route;
import io.outledger.store.Declaration;
import io.outledger.store.Declaration.Takes;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is declared of a subscription and its owner does not have. A message that such a declaration
 * may take is never settled for its route: it is parked until an instance that has the route owns
 * the subscription.
 */
final class LackedDeclarations {

  private static final long UNKNOWN = -1;
  private static final long GRACE_NANOS = Duration.ofSeconds(30).toNanos();

  private final Declaring own;
  private final Map<String, List<Declaration>> ownByRoute;
  private final boolean mayChangeMessages;
  private Map<String, List<Declaration>> lackedByRoute = Map.of();

  /** All that is declared or was lately, where a filter is lacked; else nothing. */
  private Map<String, List<Declaration>> filteredByRoute = Map.of();

  private Map<Declaration, Long> lacked = Map.of();

  /**
   * What was ended lately, and until when it is lacked all the same: an instance that lives and has
   * it declares it again, and what commits before that is not to be settled.
   */
  private final Map<Declaration, Long> endedUntil = new HashMap<>();

  private long revision = UNKNOWN;
  private long revisionAtStart = UNKNOWN;

  /**
   * Makes it.
   *
   * @param mayChangeMessages whether the owner's transforms may
   */
  LackedDeclarations(Declaring own, boolean mayChangeMessages) {
    this.own = own;
    this.ownByRoute = byRoute(own.has());
    this.mayChangeMessages = mayChangeMessages;
  }

  /**
   * Returns whether a page shows something else than is known: more, or less, where the table was
   * emptied or restored; or what was ended has had its time.
   */
  boolean differs(long shown, long nanos) {
    return shown != revision
        || (!endedUntil.isEmpty() && endedUntil.values().stream().anyMatch(u -> nanos - u >= 0));
  }

  /** Takes what is declared, and returns whether what this owner lacks has changed. */
  boolean take(Declarations declared, long nanos) {
    revision = declared.revision();
    revisionAtStart = revisionAtStart == UNKNOWN ? revision : Math.min(revisionAtStart, revision);
    Set<Declaration> before = lacked.keySet();
    Map<Declaration, Long> now = new LinkedHashMap<>(declared.current());
    now.keySet().removeIf(own::covers);
    before.stream()
        .filter(each -> !now.containsKey(each))
        .forEach(each -> endedUntil.putIfAbsent(each, nanos + GRACE_NANOS));
    endedUntil.keySet().removeAll(now.keySet());
    endedUntil.values().removeIf(until -> nanos - until >= 0);
    endedUntil.keySet().forEach(each -> now.put(each, UNKNOWN));
    lacked = now;
    lackedByRoute = byRoute(now.keySet());
    boolean lacksFilter = now.keySet().stream().anyMatch(each -> each.takes() == Takes.FILTER);
    filteredByRoute = lacksFilter ? byRoute(withEnded(declared)) : Map.of();
    return !before.equals(now.keySet());
  }

  private Set<Declaration> withEnded(Declarations declared) {
    Set<Declaration> all = new LinkedHashSet<>(declared.current().keySet());
    all.addAll(endedUntil.keySet());
    return all;
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
   * Returns the declaration for which a message is to be parked in a route that this owner does not
   * have; null where there is none. Such a route may go by the message as it stands in the ledger,
   * or by what the transforms make of it.
   *
   * @param made what the owner's transforms have made of it
   */
  @Nullable Declaration keeps(String route, LedgerMessage origin, Preparation made) {
    return find(route, made, each -> each.mayTake(origin.message()) || mayTakeResult(each, made));
  }

  /**
   * Returns the preparation of a message in a route of this owner, to be parked for another
   * instance where it must be: where nothing that the route has declared here takes it, and
   * something that it has declared elsewhere may. What the route's own code failed at, or refused,
   * is parked anyway.
   *
   * @param common what the transforms have made of it
   * @param inRoute what the route has made of that
   */
  Preparation prepared(Route route, LedgerMessage origin, Preparation common, Preparation inRoute) {
    boolean isTaken =
        inRoute.rejected() != null
            || (!inRoute.isSkipped() && isOwn(route, common.seenBy(route, origin)));
    if (isTaken) {
      return inRoute;
    }
    return inRoute.keptFor(
        route.seesResult()
            ? keeps(route.name(), origin, common)
            : find(route.name(), common, each -> each.mayTake(origin.message())));
  }

  /** A route to a handler also takes, to count it, what the handler does not know. */
  private boolean isOwn(Route route, @Nullable Message seen) {
    return seen != null
        && ownByRoute.getOrDefault(route.name(), List.of()).stream()
            .anyMatch(each -> each.mayTake(seen));
  }

  /** Only another filter lets pass what this owner's leaves out. */
  private @Nullable Declaration find(
      String route, Preparation made, Predicate<Declaration> mayTake) {
    Map<String, List<Declaration>> declared = made.isSkipped() ? filteredByRoute : lackedByRoute;
    for (Declaration each : declared.getOrDefault(route, List.of())) {
      if (mayTake.test(each)) {
        return each;
      }
    }
    return null;
  }

  /** What the transforms have not made could have become anything. */
  private boolean mayTakeResult(Declaration declared, Preparation made) {
    Message result = made.message();
    return result == null ? mayChangeMessages : declared.mayTake(result);
  }
}
