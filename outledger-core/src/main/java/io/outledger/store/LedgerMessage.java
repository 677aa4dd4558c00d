// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Message;

/**
 * A message with its place in the ledger.
 *
 * @param position its sequence number, 1 or more
 * @param message the message
 */
public record LedgerMessage(long position, Message message) {}
