// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.Set;

/**
 * What a poll's snapshot says of transactions. It knows none that was given its id after any that
 * has ended: such a one may be at work, and draw numbers, without being told of.
 *
 * @param horizon every transaction with an id below this one had ended
 * @param edge one above the highest id of those that had ended; who was running is told below it
 *     alone
 * @param running the transactions with an id below the edge that had not ended
 */
public record Snapshot(long horizon, long edge, Set<Long> running) {}
