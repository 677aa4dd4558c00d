// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.Set;

/**
 * The writers in a poll's snapshot: the transactions, or sessions, that may make positions visible.
 * A store numbers them in a way that its database allows: by the database's own ids of
 * transactions, by numbers that the store gives to the sessions it sees holding a lock on the
 * ledger, by places that writers take. Here the numbers are only compared.
 *
 * <p>The proof of dead holes rests on these axioms, which every store keeps:
 *
 * <ol>
 *   <li><b>Positions ascend.</b> A position is drawn from one sequence, so what is drawn later is
 *       higher. It is never drawn twice, roll-backs included.
 *   <li><b>A witness is above all who drew before it.</b> A save returns a number, the witness.
 *       Every writer that drew a position before the save was sent, and has not ended when the save
 *       returns, has a number below it.
 *   <li><b>A snapshot tells of all below its edge.</b> Whoever has a number below the edge and is
 *       not among the running had ended before the poll read: the poll shows what it committed, if
 *       it looks there, and no later poll shows more of it.
 *   <li><b>An exact snapshot lists nobody who had ended.</b> Then the poll shows nothing of those
 *       who are listed, so nobody looks for holes that only they may fill. In one that is not exact
 *       somebody who is listed may have ended before the poll read: what it committed may be
 *       visible, and messages of the same key that came after it. So all holes are looked for.
 *   <li><b>Whoever holds an open position is seen.</b> The store returns, when it is asked who
 *       writes the ledger, every writer with a number that drew a position before and may still
 *       make it visible. One that is not returned, and that a later snapshot lists as running, has
 *       none left of those that had been drawn by then.
 *   <li><b>Edges pass witnesses.</b> Polls that are sent after a save has returned sooner or later
 *       have an edge above its witness. Polls sent before it have none.
 *   <li><b>A number means one writer.</b> It is given once, as long as the server's {@linkplain
 *       io.outledger.store.ServerIdentity identity} and the relay's lease last. With another
 *       identity or lease all numbers are forgotten.
 * </ol>
 *
 * @param edge above the number of everybody of whom the snapshot tells; a writer with a number at
 *     or above it may be at work, and draw positions, without being listed
 * @param running the writers with a number below the edge that had not ended
 * @param isExact whether each of the running had certainly not ended when the poll read
 */
public record Snapshot(long edge, Set<Long> running, boolean isExact) {

  /** Makes an exact one. */
  public Snapshot(long edge, Set<Long> running) {
    this(edge, running, true);
  }

  /** Returns whether the writer had certainly ended; its rows are visible, or never will be. */
  public boolean hasEnded(long writer) {
    return writer < edge && !running.contains(writer);
  }

  /** Returns the lowest number of those that had not ended: all below it had. */
  public long horizon() {
    return running.stream().mapToLong(Long::longValue).min().orElse(edge);
  }
}
