// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything settled and changed since the last save, for the next save to write. A message is
 * settled when each route has settled it.
 */
public final class PendingSave {

  private final int routes;
  private final Map<Place, Integer> routesLeft = new HashMap<>();

  /** Where at least one of several routes has published, and not all have settled. */
  private final Set<Place> publishedInPart = new HashSet<>();

  private final List<ParkedChange> changes = new ArrayList<>();
  private final SaveSize size = new SaveSize();
  private boolean wasFull;
  private boolean wasFullBefore;
  private long[] settled = new long[1024];
  private int settledCount;
  private int published;
  private int filtered;

  PendingSave(int routes) {
    this.routes = routes;
  }

  /** Notes, before any route has settled the message, that this many others have to do so, too. */
  void alsoForOthers(LedgerMessage message, int others) {
    if (others > 0) {
      routesLeft.put(Place.of(message), routes + others);
    }
  }

  /** Notes that one route has settled the message. */
  void settledByRoute(LedgerMessage message) {
    if (routes == 1 && routesLeft.isEmpty()) {
      settled(message.position());
      return;
    }
    Place place = Place.of(message);
    int left = routesLeft.merge(place, routes - 1, (before, ignored) -> before - 1);
    if (left == 0) {
      routesLeft.remove(place);
      publishedInPart.remove(place);
      settled(message.position());
    }
  }

  /** Notes that the message is settled for every route, because no route is to see it. */
  void passedOver(long position) {
    filtered++;
    settled(position);
  }

  /** Notes that the message is another partition's, which settles it for the routes. */
  public void ofAnotherPartition(long position) {
    settled(position);
  }

  /** Notes that a route, which has settled the message, has published it. */
  void published(LedgerMessage message) {
    published++;
    if (routesLeft.isEmpty()) {
      return;
    }
    Place place = Place.of(message);
    if (routesLeft.containsKey(place)) {
      publishedInPart.add(place);
    }
  }

  /** Returns whether a route has published the message that others have not settled yet. */
  boolean isPublishedInPart(Place place) {
    return publishedInPart.contains(place);
  }

  /** Returns whether one of several routes has settled the message, and another one has not. */
  boolean isSettledInPart(Place place) {
    return routesLeft.containsKey(place);
  }

  void change(ParkedChange change) {
    changes.add(change);
  }

  private void settled(long position) {
    if (settledCount == settled.length) {
      settled = Arrays.copyOf(settled, settledCount * 2);
    }
    settled[settledCount++] = position;
  }

  /** Returns whether there is nothing to save. */
  public boolean isEmpty() {
    return settledCount == 0 && changes.isEmpty();
  }

  /** Returns how many messages were settled since the last save. */
  public int settledCount() {
    return settledCount;
  }

  /** Returns how many messages were published since the last save, by all routes together. */
  public int publishedCount() {
    return published;
  }

  /** Returns how many messages were passed over since the last save. */
  public int filteredCount() {
    return filtered;
  }

  /** Returns the positions settled since the last save. */
  public Positions settledPositions() {
    return Positions.of(Arrays.copyOf(settled, settledCount));
  }

  /** Returns the changes of parked rows since the last save, in order. */
  public List<ParkedChange> changes() {
    return List.copyOf(changes);
  }

  /**
   * Returns how many more changes the next save should write; 0 where it is full. An outcome that
   * arrives is taken even then.
   */
  public int room() {
    return Math.max(0, size.most() - changes.size());
  }

  /** Notes that another step begins. */
  public void stepBegins() {
    wasFullBefore = wasFull;
    wasFull = false;
  }

  /** Returns whether this step's save had no room for more, and may have left something. */
  public boolean wasFull() {
    return wasFull;
  }

  /**
   * Returns whether what was read goes before what could be: it may be what keeps parked rows of
   * its keys from being brought back.
   */
  public boolean isCatchingUp() {
    return wasFullBefore || room() == 0;
  }

  /** Takes how long the save of all this has taken, of a lease of this length. */
  void hasTaken(Duration took, Duration lease) {
    wasFull = room() == 0;
    size.saved(changes.size(), took, lease);
  }

  /** Forgets what has been saved. */
  void saved() {
    settledCount = 0;
    published = 0;
    filtered = 0;
    changes.clear();
  }
}
