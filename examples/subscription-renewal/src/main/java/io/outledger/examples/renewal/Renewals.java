// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.DomainEvents.RenewalRequested;
import io.outledger.examples.renewal.DomainEvents.Terms;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The table of renewals: each that was requested, and what has come of it. Its caller has locked
 * the subscription.
 */
final class Renewals {

  static final String FULFILLED = "fulfilled";
  static final String FAILED = "failed";

  private Renewals() {}

  /** Returns whether a renewal was requested before, whatever has come of it. */
  static boolean isKnown(Connection connection, String renewalId) throws SQLException {
    return Sql.first(
            connection, "SELECT id FROM renewal WHERE id = ?", row -> row.getString(1), renewalId)
        .isPresent();
  }

  /** Returns the renewal of a subscription that is under way. */
  static Optional<String> underWay(Connection connection, String subscriptionId)
      throws SQLException {
    return Sql.first(
        connection,
        "SELECT id FROM renewal WHERE subscription_id = ? AND state = 'requested'",
        row -> row.getString(1),
        subscriptionId);
  }

  static void add(Connection connection, RenewalRequested renewal) throws SQLException {
    Sql.update(
        connection,
        "INSERT INTO renewal (id, subscription_id, plan, way, months, state)"
            + " VALUES (?, ?, ?, ?, ?, 'requested')",
        renewal.renewalId(),
        renewal.subscriptionId(),
        renewal.plan(),
        renewal.renewal().way(),
        renewal.renewal().months());
  }

  static Optional<Terms> terms(Connection connection, String renewalId) throws SQLException {
    return Sql.first(
        connection,
        "SELECT plan, way, months FROM renewal WHERE id = ?",
        row -> new Terms(row.getString(1), row.getString(2), row.getInt(3)),
        renewalId);
  }

  static void close(Connection connection, String renewalId, String state) throws SQLException {
    Sql.update(connection, "UPDATE renewal SET state = ? WHERE id = ?", state, renewalId);
  }
}
