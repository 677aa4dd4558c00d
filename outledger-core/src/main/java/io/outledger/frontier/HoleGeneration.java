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
 * @param witness the number returned by a save that was sent after a poll had missed the holes; a
 *     writer that drew one of them and is still running has a lower number
 * @param fillers the writers that may still fill one of the holes; null until a poll has shown them
 * @param idle the fillers that were seen not to write the ledger: they have ended or cannot fill
 *     any of the holes, so a page that is read afterwards shows all that they wrote there
 * @param sleeps whether none of the holes can be visible while all fillers run
 */
record HoleGeneration(
    Positions holes, long witness, @Nullable Set<Long> fillers, Set<Long> idle, boolean sleeps) {

  HoleGeneration(Positions holes, long witness) {
    this(holes, witness, null, Set.of(), false);
  }

  /** Returns whether a poll has shown which writers may still fill its holes. */
  boolean hasFillers() {
    return fillers != null;
  }

  /** Returns whether polls need not look for its holes until one of its fillers has ended. */
  boolean isAsleep() {
    return fillers != null && sleeps;
  }

  /** Returns whether no filler is left, so the holes that a poll looked for are dead. */
  boolean isDead() {
    return fillers != null && fillers.isEmpty();
  }

  /** Returns whether the other generation has exactly the same fillers. */
  boolean isLike(HoleGeneration other) {
    return fillers != null && fillers.equals(other.fillers) && sleeps == other.sleeps;
  }

  /**
   * Returns whether it sleeps, and a poll that looks for its holes would now either show one of
   * them or prove them dead.
   */
  boolean isDecidedBy(Snapshot snapshot) {
    return fillers != null
        && sleeps
        && (fillers.stream().anyMatch(snapshot::hasEnded) || idle.containsAll(fillers));
  }

  /** Returns this generation without the positions that a poll has shown. */
  HoleGeneration without(Positions shown) {
    return new HoleGeneration(holes.minus(shown), witness, fillers, idle, sleeps);
  }

  /** Returns this generation with the fillers that remain after a poll looked for its holes. */
  HoleGeneration lookedFor(Snapshot snapshot) {
    if (fillers == null && witness >= snapshot.edge()) {
      return this; // a page that was read before the save: it knows none of the latest fillers
    }
    Set<Long> candidates = fillers == null ? snapshot.running() : fillers;
    return withFillers(
        only(candidates, id -> id < witness && !snapshot.hasEnded(id) && !idle.contains(id)),
        snapshot.isExact());
  }

  /** Returns this generation after a poll that did not look for its holes, as all fillers run. */
  HoleGeneration passed() {
    return fillers == null || idle.isEmpty()
        ? this
        : withFillers(only(fillers, id -> !idle.contains(id)), sleeps);
  }

  /** Notes the ledger's writers, which were asked for after the witness was drawn. */
  HoleGeneration writers(Set<Long> writers) {
    return fillers == null
        ? this
        : new HoleGeneration(
            holes, witness, fillers, only(fillers, id -> !writers.contains(id)), sleeps);
  }

  /** Returns this generation merged with one that has the same fillers. */
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
