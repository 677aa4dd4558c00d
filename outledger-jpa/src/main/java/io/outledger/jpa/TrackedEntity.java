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
  private boolean detached;
  private @Nullable Object copy;

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
    Identities<RaisedEvent> uncaptured = Identities.of(noted);
    noted = new ArrayList<>();
    known =
        known.stream()
            .filter(each -> !dropped.contains(each) && !uncaptured.contains(each))
            .toList();
  }

  /** Returns whether this is another entity, or was merged into it. */
  @SuppressWarnings("ReferenceEquality") // an entity's equals may say anything
  boolean goesWith(Object other) {
    return entity == other || copy == other;
  }

  boolean isDetached() {
    return detached;
  }

  /** Reads what the entity has raised up to now: the next flush captures it. */
  void note() {
    List<RaisedEvent> now = source.read(entity, known);
    Identities<RaisedEvent> before = Identities.of(known);
    for (RaisedEvent each : now) {
      if (!before.contains(each)) {
        noted.add(each);
      }
    }
    known = now;
  }

  /** Returns what was raised and not captured yet, because a flush has written its changes. */
  List<RaisedEvent> capture() {
    if (uncaptured().isEmpty()) {
      return List.of();
    }
    List<RaisedEvent> captured = noted;
    noted = new ArrayList<>();
    return captured;
  }

  /** Returns what a flush has yet to capture. */
  List<RaisedEvent> uncaptured() {
    if (!detached) {
      note();
    }
    if (!noted.isEmpty() && source.forgetsOnlyWhatWasDiscarded()) {
      noted.retainAll(source.read(entity, known)); // compared by identity
    }
    return noted;
  }

  /** Returns what was raised here after the entity was merged, where no flush can see it. */
  List<RaisedEvent> raisedUnseen() {
    if (!detached) {
      return List.of();
    }
    Identities<RaisedEvent> before = Identities.of(known);
    return source.read(entity, known).stream().filter(each -> !before.contains(each)).toList();
  }

  /** Returns whether the commit has something to tell the entity. */
  boolean hasCaptured() {
    return !known.isEmpty();
  }

  /** Returns whether a later flush has events to capture that it can no longer read here. */
  boolean hasNoted() {
    return !noted.isEmpty();
  }

  /** Has the entity forget what was committed; what no flush has written yet is still to come. */
  void committed(Identities<RaisedEvent> dropped) {
    Identities<RaisedEvent> unwritten = Identities.of(noted);
    List<RaisedEvent> done =
        known.stream()
            .filter(each -> !dropped.contains(each) && !unwritten.contains(each))
            .toList();
    if (!done.isEmpty()) {
      source.forget(entity, done);
    }
    known = List.copyOf(noted);
  }
}
