// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.util.List;

/**
 * What there is.
 *
 * @param ledger the ledger
 * @param subscriptions who reads it, by name, the first {@value #ROWS_MAX}; {@link
 *     io.outledger.jdbc.Admin#readers()} lists all
 * @param instances what each instance's relays are doing, the first {@value #ROWS_MAX}
 * @param scheduled the messages that wait for their time
 */
public record Overview(
    LedgerState ledger,
    List<SubscriptionState> subscriptions,
    List<InstanceState> instances,
    ScheduledState scheduled) {

  /** No list of it is longer. */
  public static final int ROWS_MAX = 1_000;
}
