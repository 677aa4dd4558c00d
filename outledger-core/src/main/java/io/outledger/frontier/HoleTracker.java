// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Owns every hole from the poll that first misses it until it is filled or proven dead. At all
 * times:
 *
 * <ol>
 *   <li>A hole is either fresh or in exactly one generation. The first save sent after a poll has
 *       missed the hole moves it into a generation, whose witness is the number that the save
 *       returns.
 *   <li>A filler is a writer that may still fill a hole of a generation. Its number is below the
 *       generation's witness, because it drew the position before the save was sent.
 *   <li>A generation never gains a filler. It loses one when a poll looked for its holes in a
 *       snapshot in which that filler had ended, or when a page was read after the filler was seen,
 *       later than the witness, not to write the ledger.
 *   <li>While all fillers of a generation run, none of its holes can be visible, so it sleeps: no
 *       poll looks for them. After an inexact snapshot it does not sleep: every poll looks.
 *   <li>A hole without fillers is dead once a poll has looked for it and not found it.
 * </ol>
 *
 * <p>Generations with the same fillers are merged, so there are at most as many generations as
 * running transactions, whatever the number of holes. This state is never saved: after a restart
 * all holes are fresh, so no number outlives the server it came from. The proof rests on the axioms
 * of {@link Snapshot}. Not thread-safe.
 */
public final class HoleTracker {

  private Positions fresh = Positions.NONE;
  private List<HoleGeneration> generations = new ArrayList<>();

  /** Starts with no hole. */
  public HoleTracker() {}

  /**
   * The meaning of a poll for the holes that it looked for.
   *
   * @param dead the holes that no writer can fill any more
   * @param fallenAsleep the holes that polls need not look for from now on
   * @param woken the positions that slept as holes and now contain a message
   */
  public record Looked(Positions dead, Positions fallenAsleep, Positions woken) {}

  /** Returns the holes that a poll need not look for, unless {@link #missedBy} returns them. */
  public Positions asleep() {
    Positions asleep = Positions.NONE;
    for (HoleGeneration generation : generations) {
      if (generation.isAsleep()) {
        asleep = asleep.union(generation.holes());
      }
    }
    return asleep;
  }

  /** Returns the number of ranges of holes that a poll need not look for. */
  public int asleepRanges() {
    return generations.stream()
        .filter(HoleGeneration::isAsleep)
        .mapToInt(generation -> generation.holes().ranges())
        .sum();
  }

  /**
   * Returns the sleeping holes that a poll may have missed, because it did not look for them and a
   * filler of theirs has ended in its snapshot. They are to be polled for, by themselves, before
   * that poll's page is used.
   *
   * @param lookedFor the positions that the poll looked for
   * @param snapshot the poll's
   */
  public Positions missedBy(Positions lookedFor, Snapshot snapshot) {
    Positions missed = Positions.NONE;
    for (HoleGeneration generation : generations) {
      if (generation.isDecidedBy(snapshot) && !isAmong(generation.holes(), lookedFor)) {
        missed = missed.union(generation.holes());
      }
    }
    return missed;
  }

  /**
   * Takes a poll that has missed nothing.
   *
   * @param lookedFor the open positions that it looked for, those that it was the first to pass
   *     included
   * @param shown those among them that it showed, or says nothing of
   * @param snapshot the poll's
   */
  public Looked looked(Positions lookedFor, Positions shown, Snapshot snapshot) {
    Positions dead = Positions.NONE;
    Positions fallenAsleep = Positions.NONE;
    Positions woken = Positions.NONE;
    Positions known = Positions.NONE;
    List<HoleGeneration> left = new ArrayList<>();
    for (HoleGeneration generation : generations) {
      if (!isAmong(generation.holes(), lookedFor)) {
        left.add(generation.passed());
        continue;
      }
      known = known.union(generation.holes());
      HoleGeneration next = generation.without(shown).lookedFor(snapshot);
      if (generation.isAsleep()) {
        woken = woken.union(generation.holes().intersection(shown));
      }
      if (next.isDead()) {
        dead = dead.union(next.holes());
      } else if (!next.holes().isEmpty()) {
        left.add(next);
        if (next.isAsleep() && !generation.isAsleep()) {
          fallenAsleep = fallenAsleep.union(next.holes());
        }
      }
    }
    generations = joined(left);
    fresh = fresh.minus(lookedFor).union(lookedFor.minus(shown).minus(known));
    return new Looked(dead, fallenAsleep, woken);
  }

  /** Returns whether a save would bring the proof of a hole forward. */
  public boolean wantsWitness() {
    return !fresh.isEmpty() && generations.stream().allMatch(HoleGeneration::hasFillers);
  }

  /** Takes the witness of a save that was sent after the last poll had ended. */
  public void saved(long witness) {
    if (!fresh.isEmpty()) {
      generations.add(new HoleGeneration(fresh, witness));
      fresh = Positions.NONE;
    }
  }

  /** Returns whether it helps to know who writes the ledger. */
  public boolean wantsWriters() {
    return generations.stream().anyMatch(HoleGeneration::hasFillers);
  }

  /**
   * Takes the writers that may still make a position visible. A page that was read before they were
   * asked for must not be given to {@link #looked} after this.
   */
  public void writersNow(Set<Long> writers) {
    generations.replaceAll(generation -> generation.writers(writers));
  }

  /** Joins neighbours whose fillers are the same. */
  private static List<HoleGeneration> joined(List<HoleGeneration> generations) {
    List<HoleGeneration> joined = new ArrayList<>();
    for (HoleGeneration generation : generations) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).isLike(generation)) {
        joined.set(last, joined.get(last).joinedBy(generation));
      } else {
        joined.add(generation);
      }
    }
    return joined;
  }

  /**
   * A generation is looked for as a whole or not at all, unless it has grown meanwhile. Only those
   * that sleep grow, and they are asked for as a whole.
   */
  private static boolean isAmong(Positions holes, Positions lookedFor) {
    return lookedFor.contains(holes.first()) && holes.minus(lookedFor).isEmpty();
  }
}
