// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.Printable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The entities of one session that show events, in the order in which they came. */
final class TrackedEntities {

  private static final Logger LOG = LoggerFactory.getLogger(TrackedEntities.class);

  private final EventSources sources;
  private final Map<Key, TrackedEntity> tracked = new LinkedHashMap<>();

  // Captured, and rolled back to a savepoint: neither captured again nor forgotten by the entity.
  private final Identities<RaisedEvent> dropped = new Identities<>();

  TrackedEntities(EventSources sources) {
    this.sources = sources;
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
    return tracked.isEmpty();
  }

  boolean shows(Object entity) {
    return sources.of(entity.getClass()) != null;
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
    return true;
  }

  /** Returns what was raised and not captured yet, because a flush has written all changes. */
  List<RaisedEvent> capture() {
    List<RaisedEvent> captured = all(TrackedEntity::capture);
    dropped.removeAll(captured); // merged again
    return captured;
  }

  /** Returns what detached entities have raised after they were merged. */
  List<RaisedEvent> raisedUnseen() {
    return all(TrackedEntity::raisedUnseen);
  }

  /** Returns the events that a flush has yet to capture. */
  List<RaisedEvent> uncaptured() {
    return all(TrackedEntity::uncaptured);
  }

  /** Returns those that a flush would capture no more if an entity left. */
  List<RaisedEvent> uncaptured(Object entity) {
    return all(each -> each.goesWith(entity) ? each.uncaptured() : List.of());
  }

  void left(Object entity) {
    leave(each -> each.goesWith(entity));
  }

  void cleared() {
    leave(each -> true);
  }

  private void leave(Predicate<TrackedEntity> who) {
    Iterator<TrackedEntity> entities = tracked.values().iterator();
    while (entities.hasNext()) {
      TrackedEntity each = entities.next();
      if (who.test(each)) {
        each.left(dropped);
        if (!each.hasCaptured()) {
          entities.remove();
        }
      }
    }
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
        LOG.error(
            "An entity could not forget its committed events; used again, it has them appended a"
                + " second time.",
            Printable.trace(e));
      }
    }
    tracked.values().removeIf(each -> each.isDetached() && !each.hasNoted());
    dropped.clear();
  }

  void rolledBack() {
    tracked.clear();
    dropped.clear();
  }

  private List<RaisedEvent> all(Function<TrackedEntity, List<RaisedEvent>> question) {
    List<RaisedEvent> answers = new ArrayList<>();
    for (TrackedEntity each : tracked.values()) {
      answers.addAll(question.apply(each));
    }
    return answers;
  }

  private @Nullable TrackedEntity find(Object entity) {
    EventSource source = sources.of(entity.getClass());
    return source == null
        ? null
        : tracked.computeIfAbsent(new Key(entity), key -> new TrackedEntity(entity, source));
  }
}
