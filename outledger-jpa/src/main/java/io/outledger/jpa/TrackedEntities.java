// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The entities of one session that show events, in the order in which they came. */
final class TrackedEntities {

  private static final QuietLog LOG =
      new QuietLog(TrackedEntities.class, "domain events", TimeSource.system());

  private final EventSources sources;
  private final Predicate<Object> isManaged;
  private final Map<Key, TrackedEntity> tracked = new LinkedHashMap<>();

  // Those among them whose events have the place in the order at which they are first seen.
  private final Map<Key, TrackedEntity> withoutOrder = new LinkedHashMap<>();

  // Their removal was flushed without an event. What they raise until the transaction ends belongs
  // to it. Perhaps nobody else holds them by then: collected as garbage, they would lose it.
  private final List<Object> removed = new ArrayList<>();

  // Captured, and rolled back to a savepoint: neither captured again nor forgotten by the entity.
  private final Identities<RaisedEvent> dropped = new Identities<>();

  TrackedEntities(EventSources sources, Predicate<Object> isManaged) {
    this.sources = sources;
    this.isManaged = isManaged;
  }

  /** An entity, by identity: its own equals may say anything. */
  private record Key(Object entity) {

    @Override
    @SuppressWarnings("ReferenceEquality") // what this record is for
    public boolean equals(Object other) {
      return other instanceof Key key && key.entity == entity;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(entity);
    }
  }

  boolean isEmpty() {
    return tracked.isEmpty() && removed.isEmpty();
  }

  int size() {
    return tracked.size();
  }

  boolean shows(Object entity) {
    return sources.of(entity.getClass()) != null;
  }

  /** Returns whether an entity is not known to be managed yet. */
  boolean isNew(Object entity) {
    TrackedEntity found = tracked.get(new Key(entity));
    return found == null || found.isDetached();
  }

  /** An entity is managed; returns whether it shows events. */
  boolean managed(Object entity) {
    TrackedEntity found = find(entity);
    if (found == null) {
      return false;
    }
    found.managed();
    return true;
  }

  /** Notes what a managed entity has raised up to now; returns whether it shows events. */
  boolean given(Object entity) {
    TrackedEntity found = find(entity);
    if (found == null) {
      return false;
    }
    found.managed();
    found.note();
    return true;
  }

  /** Notes what an entity has raised before it was merged; returns whether it shows events. */
  boolean merged(Object entity, Object copy) {
    TrackedEntity found = find(entity);
    if (found == null) {
      return false;
    }
    found.mergedInto(copy);
    found.note();
    TrackedEntity managed = find(copy);
    if (managed != null) {
      managed.managed();
      managed.isCopyOf(found);
    }
    return true;
  }

  void notePlaces() {
    withoutOrder.values().forEach(TrackedEntity::notePlaces);
  }

  /** Returns the events raised but not captured yet, as a flush has written all changes. */
  List<RaisedEvent> capture() {
    List<RaisedEvent> captured = all(TrackedEntity::capture);
    dropped.removeAll(captured); // merged again
    removeIf(this::letGo);
    return captured;
  }

  /**
   * Returns the same for entities alone whose removal was written by an earlier flush. Not asked at
   * each flush: many removals, each with a flush of its own, would ask all that went before.
   */
  List<RaisedEvent> captureRemoved() {
    List<RaisedEvent> captured = all(trackRemoved(), TrackedEntity::capture);
    removeIf(this::letGo);
    return captured;
  }

  private List<TrackedEntity> trackRemoved() {
    List<TrackedEntity> again = new ArrayList<>();
    for (Object entity : removed) {
      TrackedEntity found = find(entity);
      if (found != null) {
        again.add(found);
      }
    }
    removed.clear();
    return again;
  }

  /** Lets a removed entity go that has no event; returns whether it was one. */
  private boolean letGo(TrackedEntity each) {
    return isGone(each) && removed.add(each.entity());
  }

  /** Returns the same for one entity alone, because it was written without a flush. */
  List<RaisedEvent> capture(Object entity) {
    List<RaisedEvent> captured = all(with(entity), TrackedEntity::capture);
    dropped.removeAll(captured);
    return captured;
  }

  // Removed, and there is nothing to tell it at the commit.
  private boolean isGone(TrackedEntity each) {
    return !each.isDetached() && !each.hasCaptured() && !isManaged.test(each.entity());
  }

  /** Returns the events that detached entities have raised after they were merged. */
  List<RaisedEvent> raisedUnseen() {
    return all(TrackedEntity::raisedUnseen);
  }

  /** Notes what was raised up to now, and returns the events that a flush has yet to capture. */
  List<RaisedEvent> noteUncaptured() {
    return all(TrackedEntity::noteUncaptured);
  }

  /** Does the same for one entity: what a flush would capture no more if it left. */
  List<RaisedEvent> noteUncaptured(Object entity) {
    return all(with(entity), TrackedEntity::noteUncaptured);
  }

  void left(Object entity) {
    for (TrackedEntity each : with(entity)) {
      each.left(dropped);
      if (!each.hasCaptured()) {
        tracked.remove(new Key(each.entity()));
        withoutOrder.remove(new Key(each.entity()));
      }
    }
  }

  void cleared() {
    tracked.values().forEach(each -> each.left(dropped));
    removeIf(each -> !each.hasCaptured());
  }

  // An entity, and those that were merged into it.
  private List<TrackedEntity> with(Object entity) {
    TrackedEntity found = tracked.get(new Key(entity));
    if (found == null) {
      return List.of();
    }
    List<TrackedEntity> several = new ArrayList<>(found.originals());
    several.add(found);
    return several;
  }

  void drop(List<RaisedEvent> events) {
    dropped.addAll(events);
  }

  /** Has all entities forget what was committed. */
  void committed() {
    for (TrackedEntity each : tracked.values()) {
      try {
        each.committed(dropped);
      } catch (RuntimeException e) {
        // The transaction stands, and the other entities are to be told.
        LOG.fails(
            Level.ERROR,
            "not forgotten",
            () ->
                "a "
                    + each.entity().getClass().getName()
                    + " could not forget its committed events; used again, it has them appended a"
                    + " second time",
            e);
      }
    }
    removeIf(each -> (each.isDetached() && !each.hasNoted()) || isGone(each));
    removed.clear();
    keepDropped();
  }

  private void removeIf(Predicate<TrackedEntity> which) {
    tracked.values().removeIf(which);
    withoutOrder.keySet().retainAll(tracked.keySet());
  }

  private void keepDropped() {
    if (!dropped.isEmpty()) {
      List<RaisedEvent> still = all(each -> each.known(dropped));
      dropped.clear();
      dropped.addAll(still);
    }
  }

  /** Has all entities show again what was not committed. */
  void rolledBack() {
    try {
      tracked.values().forEach(TrackedEntities::showAgain);
    } finally {
      tracked.clear();
      withoutOrder.clear();
      removed.clear();
      dropped.clear();
    }
  }

  private static void showAgain(TrackedEntity each) {
    try {
      each.rolledBack();
    } catch (RuntimeException e) { // the entity's own; the others are to be told
      LOG.fails(
          Level.ERROR,
          "not shown again",
          () ->
              "after a roll-back, a "
                  + each.entity().getClass().getName()
                  + " could not be asked for its events, and those that it had forgotten are gone;"
                  + " retry with new instances",
          e);
    }
  }

  private List<RaisedEvent> all(Function<TrackedEntity, List<RaisedEvent>> question) {
    return all(tracked.values(), question);
  }

  private static List<RaisedEvent> all(
      Collection<TrackedEntity> entities, Function<TrackedEntity, List<RaisedEvent>> question) {
    List<RaisedEvent> answers = new ArrayList<>();
    for (TrackedEntity each : entities) {
      answers.addAll(question.apply(each));
    }
    return answers;
  }

  private @Nullable TrackedEntity find(Object entity) {
    EventSource source = sources.of(entity.getClass());
    return source == null
        ? null
        : tracked.computeIfAbsent(new Key(entity), key -> track(key, source));
  }

  private TrackedEntity track(Key key, EventSource source) {
    TrackedEntity made = new TrackedEntity(key.entity(), source);
    if (!source.keepsTheOrder()) {
      withoutOrder.put(key, made);
    }
    return made;
  }
}
