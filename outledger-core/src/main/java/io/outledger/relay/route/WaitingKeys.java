// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static java.util.stream.Collectors.joining;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.store.Declaration;
import io.outledger.store.PauseScope.Kind;
import io.outledger.store.Paused;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Bounds how many keys of a route wait for a parked message, whatever it waits for: each is kept in
 * memory, and each message that is read could be of one more. From the bound on nothing is read,
 * until some of them wait no more: else it would be read in turns.
 */
final class WaitingKeys {

  /** One of so many must wait no more before reading resumes; more than are tried at once. */
  private static final int ONE_OF = 4;

  /** What is paused by setting its messages aside. */
  private static final Set<Kind> PARTS = Set.of(Kind.TOPIC, Kind.KEY);

  private final Collection<RouteDispatcher> routes;
  private final SharedByRoutes shared;
  private final RelayListener listener;

  /** The routes that stop the reading, as it was told. */
  private final Set<String> full = new HashSet<>();

  WaitingKeys(Collection<RouteDispatcher> routes, SharedByRoutes shared, RelayListener listener) {
    this.routes = routes;
    this.shared = shared;
    this.listener = listener;
  }

  /** Returns whether nothing is read because as many keys wait as memory is to hold. */
  boolean areTooMany() {
    return !full.isEmpty();
  }

  /** Counts the keys, and tells what has changed. */
  void count() {
    for (RouteDispatcher route : routes) {
      int waiting = route.parking().keys().waiting();
      int most = shared.share().keysMax();
      if (waiting >= most && full.add(route.name())) {
        listener.on(new RelayEvent.TooManyKeys(route.name(), waiting, reason(route)));
      } else if (waiting <= most - most / ONE_OF && full.remove(route.name())) {
        listener.on(new RelayEvent.FewerKeys(route.name()));
      }
    }
  }

  /** Says what the keys wait for, and how many of them for what. */
  private String reason(RouteDispatcher route) {
    int untilResumed = route.parking().keys().untilResumed();
    int others = route.parking().keys().waiting() - untilResumed;
    List<String> reasons = new ArrayList<>();
    if (untilResumed > 0) {
      reasons.add(untilResumed + " until they are resumed, because " + causes(route.name()));
    }
    if (others > 0) {
      Outage outage = route.outage();
      reasons.add(others + " because " + (outage.isDown() ? outage.why() : "they were rejected"));
    }
    return String.join("; ", reasons);
  }

  private String causes(String route) {
    Stream<String> paused =
        shared.pauses().all().current().values().stream()
            .filter(each -> PARTS.contains(each.scope().kind()))
            .map(Paused::toString);
    Stream<String> lacked =
        shared.lacked().all().stream()
            .filter(each -> each.takes() == Declaration.Takes.FILTER || each.route().equals(route))
            .map(each -> "this instance does not have " + each);
    return Stream.concat(paused, lacked).sorted().collect(joining(", and "));
  }
}
