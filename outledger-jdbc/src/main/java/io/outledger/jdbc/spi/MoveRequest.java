// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
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
    Require.nonNull("start", start);
    Require.nonNull("found", found);
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
   * Returns above which position messages come again that its handlers may remember; empty where
   * none does.
   *
   * @param high the highest position that the subscription has settled
   */
  public OptionalLong readAgainAbove(long high) {
    return target() < high ? OptionalLong.of(target()) : OptionalLong.empty();
  }
}
