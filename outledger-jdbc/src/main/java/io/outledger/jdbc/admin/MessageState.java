// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.util.List;

/**
 * A message in the ledger, and what has become of it.
 *
 * @param entry the message
 * @param standings what has become of it in each subscription, by name
 */
public record MessageState(LedgerEntry entry, List<Standing> standings) {}
