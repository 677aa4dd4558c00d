// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entity that shows events, in one session: what is known of them. For one thread. */
final class TrackedEntity {

  private final Object entity;
  private final EventSource source;
  private List<RaisedEvent> known = List.of();
  private List<RaisedEvent> noted = new ArrayList<>();
  private final List<RaisedEvent> captured = new ArrayList<>();

  // Seen beside those that are known. Their places in the order count, and nothing else: until a
  // flush, the entity may take them back.
  private List<RaisedEvent> placed = List.of();
  private boolean detached;
  private @Nullable Object copy;
  private List<TrackedEntity> originals = List.of();

  TrackedEntity(Object entity, EventSource source) {
    this.entity = entity;
    this.source = source;
  }

  /** Says that the session manages the entity, so that its next flush writes the changes. */
  void managed() {
    detached = false;
    copy = null;
  }

  /** Says that the session manages a copy of the entity, whose flush writes the changes. */
  void mergedInto(Object managedCopy) {
    detached = true;
    copy = managedCopy;
  }

  /**
   * Says that the session no longer manages the entity, or its copy: what no flush has captured is
   * not captured any more, and may be found again if the entity is merged.
   */
  void left(Identities<RaisedEvent> dropped) {
    detached = true;
    copy = null;
    originals = List.of();
    Identities<RaisedEvent> uncaptured = Identities.of(noted);
    noted = new ArrayList<>();
    placed = List.of();
    known =
        known.stream()
            .filter(each -> !dropped.contains(each) && !uncaptured.contains(each))
            .toList();
  }

  /** Remembers an entity that was merged into this one. */
  void isCopyOf(TrackedEntity original) {
    if (originals.isEmpty()) {
      originals = new ArrayList<>();
    }
    if (!originals.contains(original)) {
      originals.add(original);
    }
  }

  /** Returns the entities that were merged into this one, and into no other since. */
  List<TrackedEntity> originals() {
    return originals.stream().filter(each -> each.isMergedInto(entity)).toList();
  }

  @SuppressWarnings("ReferenceEquality") // an entity's equals may say anything
  private boolean isMergedInto(Object other) {
    return copy == other;
  }

  Object entity() {
    return entity;
  }

  boolean isDetached() {
    return detached;
  }

  /**
   * Reads what the entity has raised up to now: the next flush captures it. Mostly nothing, or
   * events after those that are known; only these are looked at then.
   */
  void note() {
    List<RaisedEvent> now = source.read(entity, seen());
    placed = List.of();
    int before = known.size();
    if (now.size() >= before && now.subList(0, before).equals(known)) {
      noted.addAll(now.subList(before, now.size()));
    } else {
      noteAmong(now);
    }
    known = now;
  }

  /**
   * Gives what the entity has raised up to now its place in the order, where it does not keep that
   * by itself. Called before something else takes its place.
   */
  void notePlaces() {
    if (!detached) {
      List<RaisedEvent> now = source.read(entity, seen());
      placed = now.equals(known) ? List.of() : now;
    }
  }

  private List<RaisedEvent> seen() {
    if (placed.isEmpty()) {
      return known;
    }
    Identities<RaisedEvent> before = Identities.of(known);
    List<RaisedEvent> seen = new ArrayList<>(known);
    placed.stream().filter(each -> !before.contains(each)).forEach(seen::add);
    return seen;
  }

  private void noteAmong(List<RaisedEvent> now) {
    Identities<RaisedEvent> before = Identities.of(known);
    if (source.forgetsOnlyWhatWasDiscarded()) {
      keepNoted(now);
    }
    now.stream().filter(each -> !before.contains(each)).forEach(noted::add);
  }

  private void keepNoted(List<RaisedEvent> raised) {
    Identities<RaisedEvent> still = Identities.of(raised);
    noted.removeIf(each -> !still.contains(each));
  }

  /**
   * Returns the events raised but not captured yet, as a flush has written the entity's changes.
   */
  List<RaisedEvent> capture() {
    if (noteUncaptured().isEmpty()) {
      return List.of();
    }
    List<RaisedEvent> now = noted;
    noted = new ArrayList<>();
    captured.addAll(now);
    return now;
  }

  /** Notes what was raised up to now, and returns the events that a flush has yet to capture. */
  List<RaisedEvent> noteUncaptured() {
    if (!detached) {
      note();
    } else if (!noted.isEmpty() && source.forgetsOnlyWhatWasDiscarded()) {
      keepNoted(source.read(entity, known));
    }
    return noted;
  }

  /** Returns the events raised here after the entity was merged, where no flush can see them. */
  List<RaisedEvent> raisedUnseen() {
    if (!detached) {
      return List.of();
    }
    List<RaisedEvent> now = source.read(entity, known);
    if (now.equals(known)) {
      return List.of();
    }
    Identities<RaisedEvent> before = Identities.of(known);
    return now.stream().filter(each -> !before.contains(each)).toList();
  }

  /** Returns whether the commit has something to tell the entity. */
  boolean hasCaptured() {
    return !known.isEmpty() || !captured.isEmpty();
  }

  /** Says that the transaction was rolled back: what it would have appended is still to come. */
  void rolledBack() {
    List<RaisedEvent> undone = new ArrayList<>(captured);
    undone.addAll(noted);
    if (!undone.isEmpty()) {
      source.rolledBack(entity, undone);
    }
  }

  /** Returns those of some events that are known here. */
  List<RaisedEvent> known(Identities<RaisedEvent> some) {
    return known.stream().filter(some::contains).toList();
  }

  /** Returns whether a later flush has events to capture that it can no longer read here. */
  boolean hasNoted() {
    return !noted.isEmpty();
  }

  /**
   * Has the entity forget what was committed. What no flush has written yet is still to come. What
   * was dropped stays known, so that the session does not capture it again unless it is merged.
   */
  void committed(Identities<RaisedEvent> dropped) {
    captured.clear();
    Identities<RaisedEvent> unwritten = Identities.of(noted);
    List<RaisedEvent> done =
        known.stream()
            .filter(each -> !dropped.contains(each) && !unwritten.contains(each))
            .toList();
    if (!done.isEmpty()) {
      source.forget(entity, done);
    }
    Identities<RaisedEvent> forgotten = Identities.of(done);
    known = known.stream().filter(each -> !forgotten.contains(each)).toList();
  }
}
