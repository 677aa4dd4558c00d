// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** The names of all subscriptions of a ledger, for errors that list them. */
final class SubscriptionNames {

  // One index step back for each subscription, as the view takes it.
  private static final String NAMES =
      "SELECT DISTINCT s.subscription FROM {schema}.outledger_subscription s";

  private SubscriptionNames() {}

  /** Returns them. */
  static Set<String> read(Connection connection, LedgerTables tables) throws SQLException {
    return new HashSet<>(Sql.in(tables, connection, NAMES).rows(row -> row.getString(1)));
  }
}
