// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads where subscriptions stand, as one snapshot shows them. */
final class SubscriptionRows {

  // One index step back for each subscription, and its first hole.
  private static final String SELECT =
      """
      SELECT s.subscription, s.partition_no, s.high, %s, s.saved_at, s.lease_until,
             s.known_position, s.known_id
        FROM {schema}.outledger_subscription s\
      """;
  private static final String IN_ORDER = " ORDER BY s.subscription, s.partition_no";
  private static final String ONE = " WHERE s.subscription = ? AND s.partition_no = ?";

  private SubscriptionRows() {}

  /**
   * Where one stands.
   *
   * @param known the message by which it knows its ledger; null for none
   */
  record Place(SubscriptionStatus status, @Nullable KnownMessage known) {

    CursorKey key() {
      return new CursorKey(status.name(), status.partition());
    }
  }

  static List<Place> all(Connection connection, LedgerTables tables) throws SQLException {
    return Sql.in(tables, connection, select(tables, IN_ORDER)).rows(row -> place(tables, row));
  }

  static Optional<Place> one(Connection connection, LedgerTables tables, CursorKey key)
      throws SQLException {
    return Sql.in(tables, connection, select(tables, ONE), key.subscription(), key.partition())
        .first(row -> place(tables, row));
  }

  private static String select(LedgerTables tables, String rest) {
    return tables.in(SELECT.formatted(tables.sql().lowest()) + rest);
  }

  private static Place place(LedgerTables tables, ResultSet row) throws SQLException {
    return new Place(
        new SubscriptionStatus(
            row.getString(1),
            row.getInt(2),
            row.getLong(3),
            row.getLong(4),
            tables.values().time(row, 5),
            tables.values().readTime(row, 6)),
        new Ledger(tables).known(row, 7));
  }
}
