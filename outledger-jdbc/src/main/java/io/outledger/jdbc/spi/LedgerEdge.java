// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.KnownMessage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place in the ledger to put a cursor: everything up to it is settled, apart from its holes.
 *
 * @param high the highest settled position
 * @param holes the positions up to it at which nothing was visible
 * @param known the message by which the ledger is known again; null where none was there
 */
public record LedgerEdge(long high, Positions holes, @Nullable KnownMessage known) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the holes are null
   */
  public LedgerEdge {
    Require.nonNull("holes", holes);
  }

  /**
   * Returns the edge without the holes that retention has removed since it was found.
   *
   * @param purgedTo up to which position retention has removed all; 0 if it has removed nothing
   * @return empty where retention has gone beyond the edge, which is then to be found again
   */
  public Optional<LedgerEdge> above(long purgedTo) {
    if (high < purgedTo) {
      return Optional.empty();
    }
    return Optional.of(
        purgedTo == 0
            ? this
            : new LedgerEdge(high, holes.minus(Positions.range(1, purgedTo)), known));
  }

  /** Returns the frontier of a subscription that is made here. */
  public Frontier frontier() {
    return new Frontier(high, holes);
  }
}
