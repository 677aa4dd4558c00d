// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.LeaseGrant.BlockedKey;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.Pauses;
import io.outledger.store.RelayStore;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Brings parked messages back to their routes when their time has come. */
final class ParkedWork {

  private static final int ROWS_MAX = ReturningRows.AT_ONCE_MAX;
  private static final int KEYS_MAX = 50;

  /** A store returns fewer rows where they are large. */
  private static final long BYTES_OF_MANY = 1L << 20;

  private static final long SWEEP_NANOS = 1_000_000_000L;
  private static final long SOON_NANOS = 50_000_000L; // while a replay makes rows due
  private static final long COUNT_ELSEWHERE_NANOS = 600_000_000_000L;

  private final RelayStore store;
  private final RelayContext context;
  private final PendingSave pendingSave;
  private final Map<String, RouteDispatcher> routes;
  private final Known known;

  /** The rows that are on their way through their routes, until the save that tells their fate. */
  private final Set<ParkedPlace> trying = new HashSet<>();

  /** The routes of which more may be due than was brought back. */
  private final Set<String> unfinished = new HashSet<>();

  private long sweepAt;
  private long nextSweepNanos = SWEEP_NANOS;
  private long discardAt;

  /** Where the next search for discards starts, so that discards that must wait block no others. */
  private ParkedPlace discardedTo = ParkedPlace.FIRST;

  private long countElsewhereAt;
  private int broughtBack;

  /**
   * Up to where a route was searched for rows that wait until they are resumed and may go now; a
   * former owner may have left some. A route that was searched to its end is not among them.
   */
  private final Map<String, ParkedPlace> resumedTo = new HashMap<>();

  /**
   * Makes it.
   *
   * @param known what the owner knows besides its routes
   */
  ParkedWork(
      RelayStore store,
      RelayContext context,
      PendingSave pendingSave,
      Map<String, RouteDispatcher> routes,
      Known known) {
    this.store = store;
    this.context = context;
    this.pendingSave = pendingSave;
    this.routes = routes;
    this.known = known;
    this.sweepAt = context.time().nanoTime();
    this.discardAt = sweepAt;
    this.countElsewhereAt = sweepAt;
    mayHaveResumed();
  }

  /**
   * What the owner knows besides its routes.
   *
   * @param parkings returns the parking of a route, even of one that the owner does not have
   * @param pauses returns what is paused
   * @param keysMax how many keys of a route whose rows are all held are loaded at a time
   */
  record Known(Function<String, RouteParking> parkings, Supplier<Pauses> pauses, int keysMax) {}

  /** Takes keys of a route whose rows are all held; where they are few, these are all there are. */
  void load(String route, List<BlockedKey> releasable) {
    known.parkings().apply(route).keys().load(releasable, releasable.size() < known.keysMax());
  }

  /** Loads more keys of a route when half of those that could be worked off have been. */
  private void loadMore(RouteDispatcher route) {
    KeyBlocks keys = route.parking().keys();
    if (!keys.isEachKnown() && keys.freeRows() < known.keysMax() / 2) {
      load(route.name(), store.releasable(Set.of(route.name()), known.keysMax()));
    }
  }

  /** Notes that other things are paused, or lacked: what has waited for that may be due. */
  void mayHaveResumed() {
    routes.keySet().forEach(route -> resumedTo.put(route, ParkedPlace.firstOf(route)));
  }

  /** Notes the changes that a save has made, so that what was tried may be tried again. */
  void saved(List<ParkedChange> changes, long now) {
    for (ParkedChange change : changes) {
      trying.remove(ParkedPlace.of(change));
      if (change instanceof ParkedChange.Park park && park.retryIn() != null) {
        sweepBy(now + park.retryIn().toNanos());
      } else if (change instanceof ParkedChange.Fail fail && fail.retryIn() != null) {
        sweepBy(now + fail.retryIn().toNanos());
      }
    }
  }

  private void sweepBy(long at) {
    sweepAt = Math.min(sweepAt, at);
  }

  /**
   * Brings back what is due, and returns how many rows that were. To be called when nothing is
   * unsaved: the rows are then up to date.
   */
  int bringBack(long now) {
    broughtBack = 0;
    routes.values().forEach(this::loadMore);
    for (RouteDispatcher route : routes.values()) {
      lookAgain(route.waitingRows().letGo(), now);
      for (String key : route.takeReleasable(KEYS_MAX)) {
        if (route.roomForRows() > 0) {
          drain(route, key);
        } else {
          route.parking().keys().putBack(key);
        }
      }
    }
    bringBackDue(now);
    int kept = 0;
    for (RouteDispatcher route : routes.values()) {
      kept += bringBackResumed(route);
    }
    if (now - discardAt >= 0) {
      discardAt = now + (discard() ? 0 : SWEEP_NANOS);
    }
    if (now - countElsewhereAt >= 0) {
      countElsewhereAt = now + COUNT_ELSEWHERE_NANOS;
      warnOfThoseElsewhere();
    }
    routes.values().forEach(route -> route.waitingRows().readAgain());
    return broughtBack + kept;
  }

  private void lookAgain(List<ParkedPlace> letGo, long now) {
    for (ParkedPlace place : letGo) {
      trying.remove(place);
      sweepBy(now);
      resumedTo.put(place.route(), ParkedPlace.firstOf(place.route()));
    }
  }

  private void drain(RouteDispatcher route, String key) {
    List<ParkedMessage> held = store.held(route.name(), key, ROWS_MAX);
    if (held.isEmpty()) {
      route.parking().keys().forget(key);
    }
    for (ParkedMessage row : held) {
      if (row.withdrawn()) {
        discard(row);
      } else {
        bringBack(route, row);
      }
    }
  }

  /**
   * Brings back what is due: when it is time to look for it, and before that of the routes of which
   * there may be more, as soon as they have room for it.
   */
  private void bringBackDue(long now) {
    boolean isTime = now - sweepAt >= 0;
    Map<String, Integer> rooms = new HashMap<>();
    for (RouteDispatcher route : routes.values()) {
      if (isTime && !route.outage().isDown()) {
        unfinished.add(route.name());
      }
      int room = route.roomForRows();
      if (room > 0 && (isTime || unfinished.contains(route.name()))) {
        rooms.put(route.name(), room);
      }
    }
    boolean isReplaying = !rooms.isEmpty() && bringBackDue(rooms);
    if (isReplaying) {
      nextSweepNanos = SOON_NANOS;
      sweepBy(now + nextSweepNanos);
    }
    if (isTime) {
      sweepAt = now + nextSweepNanos;
      nextSweepNanos = isReplaying ? SOON_NANOS : Math.min(SWEEP_NANOS, 2 * nextSweepNanos);
    }
  }

  /** Brings back what is due, and returns whether copies of a replay were among it. */
  private boolean bringBackDue(Map<String, Integer> rooms) {
    int limit = Collections.min(rooms.values());
    List<ParkedMessage> due = store.due(rooms.keySet(), Set.copyOf(trying), limit);
    long bytes = 0;
    boolean isReplaying = false;
    for (ParkedMessage row : due) {
      RouteDispatcher route = routes.get(row.route());
      if (route != null && !row.withdrawn() && trying.add(ParkedPlace.of(row))) {
        bytes += bringBack(route, row);
        isReplaying |= row.replayed() && row.attempts() == 0;
      }
    }
    if (due.size() == limit || bytes > BYTES_OF_MANY) {
      unfinished.addAll(rooms.keySet());
    } else {
      unfinished.removeAll(rooms.keySet());
    }
    return isReplaying;
  }

  /**
   * Brings back what has waited until it is resumed, and may go now; what must wait on stays as it
   * is, and nothing of it is written.
   *
   * @return how many of those found must wait on
   */
  private int bringBackResumed(RouteDispatcher route) {
    ParkedPlace after = resumedTo.get(route.name());
    int room = after == null ? 0 : route.roomForRows();
    if (after == null || room == 0) {
      return 0;
    }
    int kept = 0;
    List<ParkedMessage> rows = store.untilResumed(after, known.pauses().get(), room);
    resumedTo.remove(route.name());
    for (ParkedMessage row : rows) {
      ParkedPlace place = ParkedPlace.of(row);
      resumedTo.put(route.name(), place);
      LedgerMessage origin = originOf(row);
      Preparation prepared = prepare(route, origin);
      if (prepared.lacked() != null) {
        kept++;
      } else if (trying.add(place)) {
        bringBack(route, row, origin, prepared);
      }
    }
    return kept;
  }

  /** Discards what is asked for or was withdrawn, and returns whether there may be more of it. */
  private boolean discard() {
    int before = broughtBack;
    List<ParkedMessage> rows = store.discards(discardedTo, ROWS_MAX);
    if (rows.isEmpty() && !discardedTo.equals(ParkedPlace.FIRST)) {
      rows = store.discards(ParkedPlace.FIRST, ROWS_MAX);
    }
    for (ParkedMessage row : rows) {
      takeBack(row);
      if (!known.parkings().apply(row.route()).isTrying(row)) {
        discard(row);
      }
    }
    discardedTo =
        rows.stream().map(ParkedPlace::of).max(Comparator.naturalOrder()).orElse(ParkedPlace.FIRST);
    return rows.size() == ROWS_MAX && broughtBack > before;
  }

  /** Takes a row out of its route where it merely waits to be sent. */
  private void takeBack(ParkedMessage row) {
    RouteDispatcher route = routes.get(row.route());
    if (route != null && route.waitingRows().take(Place.of(row))) {
      trying.remove(ParkedPlace.of(row));
    }
  }

  /**
   * Discards a row, if nothing has become of it since the last save. While another route has not
   * settled the message, the row must stay: after a crash the message is read again, and only the
   * row tells that this route is done with it.
   */
  private void discard(ParkedMessage row) {
    if (!pendingSave.isSettledInPart(Place.of(row)) && trying.add(ParkedPlace.of(row))) {
      known.parkings().apply(row.route()).discard(row);
      broughtBack++;
    }
  }

  /** Brings a row back, and returns how many bytes it takes. */
  private long bringBack(RouteDispatcher route, ParkedMessage row) {
    LedgerMessage origin = originOf(row);
    bringBack(route, row, origin, prepare(route, origin));
    return origin.bytes();
  }

  private static LedgerMessage originOf(ParkedMessage row) {
    return new LedgerMessage(row.position(), row.message(), row.unreadable());
  }

  private Preparation prepare(RouteDispatcher route, LedgerMessage origin) {
    return route.prepare(Preparation.of(context.options().transforms(), origin), origin);
  }

  private void bringBack(
      RouteDispatcher route, ParkedMessage row, LedgerMessage origin, Preparation prepared) {
    Delivery delivery = Delivery.of(origin, row, prepared);
    broughtBack++;
    if (prepared.isSkipped()) {
      trying.add(ParkedPlace.of(row));
      route.parking().notTaken(delivery);
    } else {
      route.enqueueParked(delivery);
    }
  }

  private void warnOfThoseElsewhere() {
    store
        .parkedElsewhere(routes.keySet())
        .forEach(
            (route, rows) -> context.listener().on(new RelayEvent.ParkedElsewhere(route, rows)));
  }
}
