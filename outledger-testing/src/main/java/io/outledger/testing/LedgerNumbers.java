// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

/**
 * The counters of an in-memory ledger's database, none of which a roll-back turns back.
 *
 * @param nextTransactionId the id of the next transaction that writes
 * @param lastPosition the highest position drawn
 * @param purgedTo the highest position that retention has removed
 */
record LedgerNumbers(long nextTransactionId, long lastPosition, long purgedTo) {}
