// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.Name;
import io.outledger.Require;
import io.outledger.store.Start;

/**
 * Moves a subscription back to read again. It passes over nothing, whenever it is carried out: a
 * partition that stands before the start stays there, and where all do the request is refused. So
 * of two moves the one that goes further back holds, in whichever order they come.
 *
 * <p>Where the message by which the subscription knows the ledger is gone ({@code OUT-007}), it
 * takes what it has settled for settled, as where somebody has deleted that message. If this is
 * another ledger, only {@link Start#EARLIEST} passes over nothing of it.
 *
 * <p>Handlers that process again forget what they know from the start on, in every partition. One
 * whose partition stays, and whose owner dies before it has saved what it handled there meanwhile,
 * processes that again, too.
 *
 * @param subscription its name
 * @param start where it continues
 * @param processAgain whether its transactional handlers forget what is read again
 */
public record Move(String subscription, Start start, boolean processAgain) implements Verb.OfPlace {

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-021} if the
   *     start is null
   */
  public Move {
    Name.check("subscription", subscription);
    Require.nonNull("start", start);
  }

  /** Creates one whose handlers skip what they have processed. */
  public Move(String subscription, Start start) {
    this(subscription, start, false);
  }
}
