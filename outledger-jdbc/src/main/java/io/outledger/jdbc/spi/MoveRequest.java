// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Given;
import io.outledger.store.Start;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where an administrator wants a subscription to be moved, and whether its transactional handlers
 * are to process again what they remember. What follows from it is the same on every database.
 *
 * @param start where it is to read from
 * @param found what a scan of the ledger has found, if the start needs one
 * @param processAgain whether handlers forget what is read again
 */
public record MoveRequest(Start start, Optional<LedgerEdge> found, boolean processAgain) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if start or found is null
   */
  public MoveRequest {
    Given.check("start", start);
    Given.check("found", found);
  }

  /**
   * Returns the position above which it reads again, before a purge is looked at: what that has
   * removed does not come again.
   */
  public long target() {
    return start instanceof Start.AtPosition at
        ? at.position() - 1
        : found.map(LedgerEdge::high).orElse(0L);
  }

  /**
   * Returns what becomes of what its handlers remember. In a ledger that was emptied or restored
   * they forget everything, if they forget: below the target, too, a message may be committed late
   * at a position that they remember of the earlier ledger.
   *
   * @param high the highest position that the subscription has settled
   * @param isAnother whether it has certainly read another ledger, emptied or replaced since
   */
  public Memory memory(long high, boolean isAnother) {
    if (!isAnother && target() >= high) {
      return new Memory(OptionalLong.empty(), OptionalLong.empty());
    }
    return processAgain
        ? new Memory(OptionalLong.empty(), OptionalLong.of(isAnother ? 0 : target()))
        : new Memory(OptionalLong.of(target()), OptionalLong.empty());
  }

  /**
   * What becomes of what the handlers of a moved subscription remember.
   *
   * @param knownAbove above which position they will pass over what they know; empty where that is
   *     nothing
   * @param forgottenAbove above which position they are to forget; empty where that is nothing
   */
  public record Memory(OptionalLong knownAbove, OptionalLong forgottenAbove) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if either is null
     */
    public Memory {
      Given.check("knownAbove", knownAbove);
      Given.check("forgottenAbove", forgottenAbove);
    }
  }
}
