// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import java.util.List;

/**
 * The answer to a poll: one snapshot of the ledger.
 *
 * @param messages what was looked for and is visible, in order of position
 * @param readTo the highest position up to which everything visible is in {@code messages} or
 *     {@code withheld}; what was asked for where nothing new is visible
 * @param withheld positions that are visible but were left out, to bound the page's bytes: above
 *     all {@code messages}, so that no message goes before a lower one of its key; they are not
 *     holes, and the next poll returns them
 * @param more whether the page was cut short, so that the next poll will find messages at once
 * @param snapshot which transactions had ended
 * @param newest the number of the newest row of the subscription's cursor
 * @param declared the revision of what is declared of the subscription, of the messages' snapshot
 *     or a later one: so nobody sees a message without a declaration that was committed before it
 * @param paused the revision of what is paused of the subscription, of the messages' snapshot or a
 *     later one: so no message is published that was committed after a pause that holds for it
 * @param server the server that answered
 */
public record Page(
    List<LedgerMessage> messages,
    long readTo,
    Positions withheld,
    boolean more,
    Snapshot snapshot,
    long newest,
    long declared,
    long paused,
    ServerIdentity server) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public Page {
    Require.nonNull("messages", messages);
    Require.nonNull("withheld", withheld);
    Require.nonNull("snapshot", snapshot);
    Require.nonNull("server", server);
  }
}
