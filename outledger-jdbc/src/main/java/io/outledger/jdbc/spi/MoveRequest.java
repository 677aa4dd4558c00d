// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.frontier.Frontier;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.admin.Verb;
import io.outledger.store.Start;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where an operator wants a subscription to be placed, and what a scan has found there. What
 * follows from it is the same on every database.
 *
 * @param verb a move, which passes over nothing, or a skip, which reads nothing again
 * @param found what a scan of the ledger has found, if the start needs one
 */
public record MoveRequest(Verb.OfPlace verb, Optional<LedgerEdge> found) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public MoveRequest {
    Require.nonNull("verb", verb);
    Require.nonNull("found", found);
  }

  /** Returns where it is to read from. */
  public Start start() {
    return verb.start();
  }

  /** Returns whether handlers forget what is read again. */
  public boolean processAgain() {
    return verb instanceof Move move && move.processAgain();
  }

  /** Returns whether it passes over what lies before its start, which no move does. */
  public boolean skips() {
    return verb instanceof Skip;
  }

  /**
   * Returns what is settled once a cursor is there.
   *
   * @param before what it had settled, with the open positions beside its row
   * @param found what one that is made there has settled
   */
  public Frontier place(Frontier before, Frontier found) {
    return skips() ? Start.afterSkip(before, found) : Start.afterMove(before, found);
  }

  /**
   * Returns the position above which it reads again, before a purge is looked at: what that has
   * removed does not come again.
   */
  public long target() {
    return start() instanceof Start.AtPosition at
        ? at.position() - 1
        : found.map(LedgerEdge::high).orElse(0L);
  }

  /**
   * Returns above which position messages come again that its handlers may remember; empty where
   * none does.
   *
   * @param high the highest position that the subscription has settled
   * @param sight what it knows of the ledger
   */
  public OptionalLong readAgainAbove(long high, LedgerSight sight) {
    boolean mayReadAgain = beginsAnew(sight) || !skips();
    return mayReadAgain && target() < high ? OptionalLong.of(target()) : OptionalLong.empty();
  }

  /**
   * Returns whether nothing that a cursor has settled counts. A skip goes where it says where
   * nobody can tell what of this ledger was read. A move keeps what is open, unless this is
   * certainly another ledger.
   */
  public boolean beginsAnew(LedgerSight sight) {
    Require.nonNull("sight", sight);
    return skips() ? sight != LedgerSight.SAME : sight == LedgerSight.ANOTHER;
  }
}
