// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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
  static Set<String> read(Connection connection, Tables tables) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(NAMES));
        ResultSet rows = statement.executeQuery()) {
      Set<String> names = new HashSet<>();
      while (rows.next()) {
        names.add(rows.getString(1));
      }
      return names;
    }
  }
}
