// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The event objects that one transaction has appended, to each ledger. An object may come by
 * several ways: published, captured from an entity, and appended by hand. It is one message, in
 * whichever order it comes. By hand it may be appended again on purpose, and is a message each
 * time. Confined to the transaction's thread.
 */
final class TakenEvents {

  private final IdentityHashMap<Object, IdentityHashMap<Object, List<UUID>>> ledgers =
      new IdentityHashMap<>();
  private final List<Change> changes = new ArrayList<>();

  /** What an event's ids were before it was taken; null where it was not there. */
  private record Change(
      IdentityHashMap<Object, List<UUID>> events, Object event, @Nullable List<UUID> before) {}

  /** Returns whether this very object was appended, by whichever way. */
  boolean contain(Object ledger, Object event) {
    return of(ledger).containsKey(event);
  }

  /** Returns whether one of these has come by itself, and was not yet appended by hand. */
  boolean containUnclaimed(Object ledger, Collection<?> events) {
    IdentityHashMap<Object, List<UUID>> taken = of(ledger);
    if (taken.isEmpty()) {
      return false; // as mostly: nothing but appends by hand
    }
    for (Object each : events) {
      if (!taken.getOrDefault(each, List.of()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the ids of the messages of an event that has come by itself and was not yet appended by
   * hand; else none.
   */
  List<UUID> unclaimed(Object ledger, Object event) {
    return of(ledger).getOrDefault(event, List.of());
  }

  /** Remembers an event that has come by itself. */
  void add(Object ledger, Object event, List<UUID> ids) {
    put(of(ledger), event, ids);
  }

  /** Remembers events that were appended by hand. */
  void addByHand(Object ledger, Collection<?> events) {
    IdentityHashMap<Object, List<UUID>> taken = of(ledger);
    for (Object each : events) {
      put(taken, each, List.of());
    }
  }

  private void put(IdentityHashMap<Object, List<UUID>> taken, Object event, List<UUID> ids) {
    changes.add(new Change(taken, event, taken.put(event, ids)));
  }

  private IdentityHashMap<Object, List<UUID>> of(Object ledger) {
    return ledgers.computeIfAbsent(ledger, none -> new IdentityHashMap<>());
  }

  /** Returns a mark for {@link #rollBackTo}. */
  int mark() {
    return changes.size();
  }

  /** Forgets what was taken after a mark. */
  void rollBackTo(int mark) {
    while (changes.size() > mark) {
      Change last = changes.remove(changes.size() - 1);
      if (last.before() == null) {
        last.events().remove(last.event());
      } else {
        last.events().put(last.event(), last.before());
      }
    }
  }
}
