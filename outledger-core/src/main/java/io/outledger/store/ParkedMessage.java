// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Given;
import io.outledger.Message;
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
 */
public record ParkedMessage(
    long position,
    String route,
    Message message,
    ParkedState state,
    int attempts,
    boolean blocks,
    @Nullable String unreadable) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ParkedMessage {
    Given.check("route", route);
    Given.check("message", message);
    Given.check("state", state);
  }
}
