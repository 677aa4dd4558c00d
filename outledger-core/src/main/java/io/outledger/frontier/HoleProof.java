// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.HashSet;
import java.util.Set;

/**
 * Proves that holes are dead: that no transaction is left that could still fill them.
 *
 * <p>A hole that a poll has returned was drawn by a transaction which owned its id before that poll
 * ended (the ledger's column default sees to it). There are two proofs, and a hole needs one:
 *
 * <ol>
 *   <li><b>By transaction id.</b> A save sent after the poll owns an id, the <em>witness</em>,
 *       above that of whoever drew the hole. Once a later poll's snapshot says that every id below
 *       the witness has ended (its <em>horizon</em> has reached it), and the same snapshot does not
 *       show the hole, nobody can fill it.
 *   <li><b>By lock</b>, for when a transaction that never touched the ledger holds the horizon
 *       back. Whoever drew the hole still holds a write lock on the ledger. The writers are noted
 *       after the hole was witnessed; when none of them is left, a poll sent after that decides.
 * </ol>
 *
 * <p>Holes are proven a generation at a time: those of one poll are witnessed together, and later
 * ones wait for the next generation. Nothing here is saved: after a restart all holes are witnessed
 * anew, so that transaction ids never outlive the server they came from. Not thread-safe.
 */
public final class HoleProof {

  private static final long NO_WITNESS = -1;

  private Positions seen = Positions.NONE;
  private Positions generation = Positions.NONE;
  private long witness = NO_WITNESS;
  private Set<Long> writers = Set.of();
  private boolean writersNoted;
  private boolean writersGone;

  /** Starts with no hole seen. */
  public HoleProof() {}

  /**
   * Takes the result of a poll and returns the holes that it proves dead.
   *
   * @param holes the open positions that this poll looked for and did not see
   * @param horizon every transaction with an id below this one had ended in the poll's snapshot
   */
  public Positions polled(Positions holes, long horizon) {
    generation = generation.intersection(holes);
    Positions dead = Positions.NONE;
    if (!generation.isEmpty() && (horizon >= witness || writersGone)) {
      dead = generation;
      generation = Positions.NONE;
    }
    if (generation.isEmpty()) {
      forgetGeneration();
    }
    seen = holes.minus(dead).minus(generation);
    return dead;
  }

  /** Returns whether a save would witness holes, and so bring their proof forward. */
  public boolean wantsWitness() {
    return generation.isEmpty() && !seen.isEmpty();
  }

  /**
   * Takes the transaction id of a save that was sent after the last poll ended. It witnesses the
   * holes of that poll where no earlier generation waits for its proof.
   */
  public void saved(long transactionId) {
    if (!wantsWitness()) {
      return;
    }
    generation = seen;
    seen = Positions.NONE;
    witness = transactionId;
  }

  /** Returns whether holes are witnessed and wait for their proof. */
  public boolean wantsWriters() {
    return !generation.isEmpty() && !writersGone;
  }

  /**
   * Takes the transactions that hold a write lock on the ledger, asked for after the last save or
   * poll. The first call for a generation notes them, each later one looks whether they have ended.
   *
   * @return the noted transactions that have not ended
   */
  public Set<Long> writersNow(Set<Long> now) {
    if (!wantsWriters()) {
      return Set.of();
    }
    Set<Long> left = new HashSet<>(now);
    if (writersNoted) {
      left.retainAll(writers);
    }
    writers = left;
    writersNoted = true;
    writersGone = left.isEmpty();
    return Set.copyOf(left);
  }

  private void forgetGeneration() {
    witness = NO_WITNESS;
    writers = Set.of();
    writersNoted = false;
    writersGone = false;
  }
}
