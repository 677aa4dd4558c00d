// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holes that are looked for again only when it can matter: beside a transaction of the ledger that
 * stays open for long there come to be thousands of them, and to look for them all would be most of
 * a poll.
 *
 * <p>Who may still fill a hole, its <em>fillers</em>, was running when the hole was last looked
 * for, and owned its id before the hole was witnessed by a save. As long as a snapshot shows all of
 * them running, none of what they have written is visible in it: the hole was as good as looked
 * for. Where one of them has ended, {@link #misses} says so, and the same is to be read once more
 * with everything that sleeps. When no filler is left, the holes are dead: because each has ended,
 * or, being still at work, held no write lock on the ledger after the hole was witnessed.
 *
 * <p>Nothing here is saved: after a restart all holes are looked for until their fillers are known
 * anew. Not thread-safe.
 */
public final class SleepingHoles {

  private static final long NO_WITNESS = -1;

  private Positions asleep = Positions.NONE;
  private Set<Long> fillers = Set.of();
  private boolean awake;

  private Positions joining = Positions.NONE;
  private @Nullable Set<Long> joiningFillers;
  private long witness = NO_WITNESS;
  private boolean hurry;

  private @Nullable Set<Long> writers;

  /** Starts with none. */
  public SleepingHoles() {}

  /**
   * What a poll means for the holes.
   *
   * @param dead those that nobody can fill any more
   * @param fallenAsleep those that need not be looked for from now on
   * @param woken those that slept and have turned out to be more than holes
   */
  public record Looked(Positions dead, Positions fallenAsleep, Positions woken) {}

  /** Returns the holes that are not looked for, unless {@link #toLookFor} returns them. */
  public Positions asleep() {
    return asleep;
  }

  /** Returns those that slept and must be looked for by the next poll. */
  public Positions toLookFor() {
    return awake ? asleep : Positions.NONE;
  }

  /** Takes holes that are to sleep, which the save that is about to be sent witnesses. */
  public void layDown(Positions holes) {
    if (holes.isEmpty()) {
      return;
    }
    hurry |= joiningFillers != null && !joining.isEmpty();
    joining = joining.union(holes);
    joiningFillers = null;
    witness = NO_WITNESS;
  }

  /** Takes the transaction id of a save that was sent after {@link #layDown}. */
  public void saved(long transactionId) {
    if (witness == NO_WITNESS && !joining.isEmpty()) {
      witness = transactionId;
    }
  }

  /** Returns whether holes were laid down that do not sleep yet. */
  public boolean isWaiting() {
    return !joining.isEmpty();
  }

  /** Returns whether it helps to know who holds a write lock on the ledger. */
  public boolean wantsWriters() {
    return !asleep.isEmpty();
  }

  /** Takes the transactions that hold a write lock on the ledger, asked for after the last poll. */
  public void writersNow(Set<Long> now) {
    writers = Set.copyOf(now);
  }

  /**
   * Returns whether a poll that did not look for those asleep may have missed one. Its page must
   * not be used: the next poll is to look for all.
   *
   * @param snapshot the poll's
   */
  public boolean misses(Snapshot snapshot) {
    if (awake || asleep.isEmpty() || snapshot.running().containsAll(fillers)) {
      return false;
    }
    awake = true;
    return true;
  }

  /**
   * Takes a poll that has missed nothing.
   *
   * @param seen the positions that it saw, or did not look for closely enough
   * @param holes the open positions that it looked for and did not see
   * @param snapshot its snapshot
   */
  public Looked looked(Positions seen, Positions holes, Snapshot snapshot) {
    Positions woken = awake ? asleep.intersection(seen) : Positions.NONE;
    asleep = asleep.minus(woken);
    awake = false;
    fillers = left(fillers, snapshot.running());
    if (writers != null) {
      // Noted before those that join now were asked about, so it says nothing of them.
      fillers = left(fillers, writers);
      writers = null;
    }
    Positions dead = Positions.NONE;
    if (fillers.isEmpty()) {
      dead = asleep;
      asleep = Positions.NONE;
    }
    joining = joining.intersection(holes);
    // A page that was read ahead may be older than the save, and know none of the latest fillers.
    boolean isWitnessed = witness != NO_WITNESS && witness < snapshot.edge();
    return isWitnessed && !joining.isEmpty()
        ? join(dead, woken, snapshot.running())
        : new Looked(dead, Positions.NONE, woken);
  }

  private Looked join(Positions dead, Positions woken, Set<Long> running) {
    Set<Long> known = joiningFillers;
    Set<Long> now = known == null ? below(witness, running) : left(known, running);
    boolean isSteady = asleep.isEmpty() ? now.equals(known) : fillers.containsAll(now);
    joiningFillers = now;
    Positions ended = joining;
    if (now.isEmpty()) {
      joinedOrDied();
      return new Looked(dead.union(ended), Positions.NONE, woken);
    }
    if (!isSteady && !hurry) {
      return new Looked(dead, Positions.NONE, woken); // short transactions would only wake them
    }
    Set<Long> all = new HashSet<>(fillers);
    all.addAll(now);
    fillers = all;
    asleep = asleep.union(ended);
    joinedOrDied();
    return new Looked(dead, ended, woken);
  }

  private void joinedOrDied() {
    joining = Positions.NONE;
    joiningFillers = null;
    witness = NO_WITNESS;
    hurry = false;
  }

  private static Set<Long> below(long witness, Set<Long> running) {
    return running.stream().filter(id -> id < witness).collect(Collectors.toSet());
  }

  private static Set<Long> left(Set<Long> before, Set<Long> now) {
    return before.isEmpty() || now.containsAll(before)
        ? before
        : before.stream().filter(now::contains).collect(Collectors.toSet());
  }
}
