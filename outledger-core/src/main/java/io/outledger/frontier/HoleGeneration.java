// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Holes that share their fillers: the writers that may still fill one of them. An immutable value.
 *
 * @param holes the holes, at least one
 * @param witness the number that a save returned which was sent after a poll had missed them:
 *     whoever drew one of them, and runs on, has a lower one
 * @param fillers who may still fill one of them; null until a poll has told
 * @param idle those of the fillers that were seen not to write the ledger: they have ended, or
 *     filled none of the holes, so a page that is read after that shows whatever they wrote
 * @param sleeps whether none of its holes can be visible while all of its fillers run
 */
record HoleGeneration(
    Positions holes, long witness, @Nullable Set<Long> fillers, Set<Long> idle, boolean sleeps) {

  HoleGeneration(Positions holes, long witness) {
    this(holes, witness, null, Set.of(), false);
  }

  /** Returns whether a poll has told who may still fill one of its holes. */
  boolean hasFillers() {
    return fillers != null;
  }

  /** Returns whether its holes need not be looked for until one of its fillers has ended. */
  boolean isAsleep() {
    return fillers != null && sleeps;
  }

  /** Returns whether nobody is left who may fill its holes: none of them, if it was looked for. */
  boolean isDead() {
    return fillers != null && fillers.isEmpty();
  }

  /** Returns whether the other one's holes have just the same fillers. */
  boolean isLike(HoleGeneration other) {
    return fillers != null && fillers.equals(other.fillers) && sleeps == other.sleeps;
  }

  /**
   * Returns whether it sleeps and a poll that looks for its holes may show one, or proves them dead
   * if it does not.
   */
  boolean isDecidedBy(Snapshot snapshot) {
    return fillers != null
        && sleeps
        && (fillers.stream().anyMatch(snapshot::hasEnded) || idle.containsAll(fillers));
  }

  /** Returns it without the holes that a poll has shown. */
  HoleGeneration without(Positions shown) {
    return new HoleGeneration(holes.minus(shown), witness, fillers, idle, sleeps);
  }

  /** Returns it with the fillers that are left after a poll that looked for its holes. */
  HoleGeneration lookedFor(Snapshot snapshot) {
    if (fillers == null && witness >= snapshot.edge()) {
      return this; // a page that was read before the save: it knows none of the latest fillers
    }
    Set<Long> candidates = fillers == null ? snapshot.running() : fillers;
    return withFillers(
        only(candidates, id -> id < witness && !snapshot.hasEnded(id) && !idle.contains(id)),
        snapshot.isExact());
  }

  /** Takes a poll that did not look for its holes, because all fillers run on. */
  HoleGeneration passed() {
    return fillers == null || idle.isEmpty()
        ? this
        : withFillers(only(fillers, id -> !idle.contains(id)), sleeps);
  }

  /** Takes who writes the ledger, asked for after its witness was. */
  HoleGeneration writers(Set<Long> writers) {
    return fillers == null
        ? this
        : new HoleGeneration(
            holes, witness, fillers, only(fillers, id -> !writers.contains(id)), sleeps);
  }

  /** Returns it with the holes of one that is like it. */
  HoleGeneration joinedBy(HoleGeneration like) {
    return new HoleGeneration(holes.union(like.holes), witness, fillers, idle, sleeps);
  }

  private HoleGeneration withFillers(Set<Long> left, boolean willSleep) {
    return new HoleGeneration(holes, witness, left, only(idle, left::contains), willSleep);
  }

  private static Set<Long> only(Set<Long> ids, LongPredicate wanted) {
    Set<Long> left = new TreeSet<>();
    for (long id : ids) {
      if (wanted.test(id)) {
        left.add(id);
      }
    }
    return left;
  }
}
