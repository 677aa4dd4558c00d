// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

/**
 * A message in the ledger.
 *
 * @param position its position
 * @param message what it is
 * @param erased whether an operator has erased what it said
 */
public record LedgerEntry(long position, MessageInfo message, boolean erased) {}
