// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Message;
import io.outledger.Require;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message set aside from the main flow, for one route. It carries the whole message, because the
 * ledger's own may have been purged.
 *
 * @param position its position in the ledger
 * @param route the route that has not settled it; empty for a subscription with one publisher
 * @param message the message as it stands in the ledger
 * @param state why it is parked
 * @param attempts how many attempts have failed
 * @param blocks whether later messages of its key are held behind it
 * @param unreadable as {@link LedgerMessage#unreadable()}; a store parks such a message as it
 *     stands in the ledger, copied without being read
 * @param withdrawn whether an operator has taken it back, because it was erased or another one was
 *     appended in its place. Nobody tries it any more: its owner discards it
 * @param emptied how often the ledger was emptied, and the subscription moved, since it was parked:
 *     of two messages of a key, the one of the earlier ledger comes first, whatever their positions
 * @param parkedAt since when it is, by the database's clock, which tells its row from a later one
 *     of the same message; null where it is still to be parked
 */
public record ParkedMessage(
    long position,
    String route,
    Message message,
    ParkedState state,
    int attempts,
    boolean blocks,
    @Nullable String unreadable,
    boolean withdrawn,
    int emptied,
    @Nullable Instant parkedAt) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ParkedMessage {
    Require.nonNull("route", route);
    Require.nonNull("message", message);
    Require.nonNull("state", state);
  }
}
