// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds out which rejected messages have been overtaken: those after which a later one of their key
 * was on its way that was not rejected as well. What got through cannot be called back, so the
 * rejected one, if it is published at all, comes after it. One that was not answered is none of
 * them: nobody has refused it.
 */
final class OvertakenMessages {

  /** Of one key: what was rejected, and what was on its way behind it. */
  private record Suspense(TreeMap<Place, Delivery> rejected, Set<Place> followers) {}

  private final Map<String, Suspense> keys = new HashMap<>();

  /** Takes what became of a message; of those behind it the client knows. */
  void arrived(RouteClient.Arrived arrived, RouteClient client) {
    if (arrived.reported() instanceof Outcome.Rejected) {
      rejected(arrived.delivery(), client.followersOf(arrived.delivery()));
    }
  }

  /** Takes a message that was rejected while later ones of its key were on their way. */
  void rejected(Delivery delivery, Set<Place> followers) {
    String key = delivery.key();
    if (key == null) {
      return;
    }
    notPublished(delivery);
    if (!followers.isEmpty()) {
      Suspense suspense =
          keys.computeIfAbsent(key, absent -> new Suspense(new TreeMap<>(), new HashSet<>()));
      suspense.rejected().put(delivery.place(), delivery);
      suspense.followers().addAll(followers);
    }
  }

  /** Takes a message that was published, and returns those that it has overtaken. */
  List<Delivery> published(Delivery delivery) {
    Suspense suspense = keys.isEmpty() ? null : keys.get(delivery.key());
    if (suspense == null || !suspense.followers().contains(delivery.place())) {
      return List.of();
    }
    Map<Place, Delivery> overtaken = suspense.rejected().headMap(delivery.place());
    List<Delivery> told = new ArrayList<>(overtaken.values());
    overtaken.clear();
    forget(delivery, suspense);
    return told;
  }

  /** Ends all waiting; returns those that may have been overtaken by messages of unknown fate. */
  List<Delivery> takeUnknown() {
    List<Delivery> told = new ArrayList<>();
    keys.values().forEach(suspense -> told.addAll(suspense.rejected().values()));
    keys.clear();
    return told;
  }

  /**
   * Takes the outcomes that arrived too late to be processed and ends all waiting. Returns the
   * messages that were, or may have been, overtaken: the next owner sends them again without
   * knowing this.
   */
  List<Delivery> end(RouteClient closed) {
    List<Delivery> told = new ArrayList<>();
    RouteClient.Arrived arrived = closed.next();
    while (arrived != null) {
      arrived(arrived, closed);
      if (arrived.outcome() instanceof Outcome.Published) {
        told.addAll(published(arrived.delivery()));
      }
      arrived = closed.next();
    }
    told.addAll(takeUnknown());
    return told;
  }

  private void notPublished(Delivery delivery) {
    Suspense suspense = keys.get(delivery.key());
    if (suspense != null) {
      forget(delivery, suspense);
    }
  }

  private void forget(Delivery delivery, Suspense suspense) {
    suspense.followers().remove(delivery.place());
    if (suspense.followers().isEmpty() || suspense.rejected().isEmpty()) {
      keys.remove(delivery.key());
    }
  }
}
