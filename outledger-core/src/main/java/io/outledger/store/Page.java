// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.frontier.Positions;
import java.util.List;
import java.util.Set;

/**
 * The answer to a poll: one snapshot of the ledger.
 *
 * @param messages what was looked for and is visible, in order of position
 * @param readTo the highest position up to which everything visible is in {@code messages} or
 *     {@code withheld}; what was asked for where nothing new is visible
 * @param withheld positions that are visible but were left out, to bound the page's bytes; they are
 *     not holes, and the next poll returns them
 * @param more whether the page was cut short, so that the next poll will find messages at once
 * @param horizon every transaction with an id below this one had ended in this snapshot
 * @param running the transactions that had an id and had not ended in this snapshot; all of those
 *     whose id is below that of any save which was made before
 * @param newest the number of the newest row of the subscription's cursor
 * @param server who answered
 */
public record Page(
    List<LedgerMessage> messages,
    long readTo,
    Positions withheld,
    boolean more,
    long horizon,
    Set<Long> running,
    long newest,
    ServerIdentity server) {}
