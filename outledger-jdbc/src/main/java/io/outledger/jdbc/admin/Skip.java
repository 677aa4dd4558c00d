// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.Name;
import io.outledger.Require;
import io.outledger.store.Start;

/**
 * Passes over everything before a start, also what is in flight: it is not published. Before a
 * position that holds for what is not committed yet, too; before {@link Start#NOW} and a time, what
 * commits later is published. A running owner publishes until it meets that, at its next poll.
 * Parked messages stay. It reads nothing again: what was saved as settled stays settled. Where
 * every partition stands beyond the start, and nothing is left to pass over before it, the request
 * is refused. {@link Start#NOW} is the moment at which it is carried out.
 *
 * <p>Where the ledger may be another one than the subscription has read ({@code OUT-007}), nobody
 * can say what is settled of it, and the skip goes to where it says.
 *
 * @param subscription its name
 * @param start where it continues
 */
public record Skip(String subscription, Start start) implements Verb.OfPlace {

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-021} if the
   *     start is null
   */
  public Skip {
    Name.check("subscription", subscription);
    Require.nonNull("start", start);
  }
}
