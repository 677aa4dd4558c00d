// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import io.outledger.Require;
import java.util.Set;

/**
 * The writers in a poll's snapshot: the transactions, or sessions, that may make positions visible.
 * Each store numbers writers as its database allows: by the database's own transaction ids, by
 * numbers that the store assigns to sessions it sees holding a lock on the ledger, or by slots that
 * writers occupy. This package only compares the numbers.
 *
 * <p>The proof of dead holes rests on these axioms, which every store keeps:
 *
 * <ol>
 *   <li><b>Positions ascend.</b> All positions are drawn from one sequence. A position drawn after
 *       another one became visible is higher than that one. So below a visible position, only what
 *       was drawn before can appear. A database may give a position out again that was rolled back,
 *       as SQLite does, and MariaDB after a crash: none appears at or below one that was visible.
 *   <li><b>A witness is above every earlier writer.</b> A save returns a number, the witness. Every
 *       writer that drew a position before the save was sent, and has not ended when the save
 *       returns, has a number below the witness.
 *   <li><b>A snapshot covers every writer below its edge.</b> A writer whose number is below the
 *       edge, and that is not listed as running, had ended before the poll read. The poll shows
 *       every row that this writer committed, if it looks there; no later poll shows more of them.
 *   <li><b>An exact snapshot lists no writer that had ended.</b> Then the poll shows no row of the
 *       listed writers, so it need not look for holes that only they may fill. In an inexact
 *       snapshot a listed writer may have ended before the poll read: its rows may be visible, and
 *       so may later messages of the same key. So the poll must look for all holes.
 *   <li><b>Every writer with an open position is seen.</b> Asked for the ledger's writers, the
 *       store returns every numbered writer that drew a position before the call and may still make
 *       it visible. A writer that is not returned, and that a later snapshot lists as running, can
 *       no longer fill any position drawn before the call.
 *   <li><b>Edges pass witnesses.</b> Of the polls sent after a save has returned, all but finitely
 *       many have an edge above its witness. No poll sent before the save has.
 *   <li><b>A number means one writer.</b> No number is given to two writers while the server's
 *       {@linkplain io.outledger.store.ServerIdentity identity} and the relay's lease last. When
 *       either changes, the relay forgets all numbers.
 * </ol>
 *
 * @param edge a number above those of all writers that the snapshot covers; a writer with a number
 *     at or above it may be running, and may draw positions, without being listed
 * @param running the writers with a number below the edge that had not ended
 * @param isExact whether each of the running had certainly not ended when the poll read
 */
public record Snapshot(long edge, Set<Long> running, boolean isExact) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public Snapshot {
    Require.nonNull("running", running);
  }

  /** Makes an exact one. */
  public Snapshot(long edge, Set<Long> running) {
    this(edge, running, true);
  }

  /** Returns whether the writer had certainly ended; its rows are visible, or never will be. */
  public boolean hasEnded(long writer) {
    return writer < edge && !running.contains(writer);
  }

  /** Returns the lowest number of a running writer; all writers below it had ended. */
  public long horizon() {
    return running.stream().mapToLong(Long::longValue).min().orElse(edge);
  }
}
