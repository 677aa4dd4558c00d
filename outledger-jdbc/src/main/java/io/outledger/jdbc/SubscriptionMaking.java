// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes a subscription that is not there yet, at its configured start. */
final class SubscriptionMaking {

  // The primary key.
  private static final String EXISTS =
      """
      SELECT EXISTS (SELECT FROM {schema}.outledger_cursor c
                      WHERE c.subscription = ? AND c.partition = ?)\
      """;

  private final String exists;
  private final CursorKey key;
  private final Start start;
  private final CursorPlacing placing;

  SubscriptionMaking(Tables tables, CursorKey key, Start start) {
    this.exists = tables.in(EXISTS);
    this.key = key;
    this.start = start;
    this.placing = new CursorPlacing(tables, key);
  }

  /** Makes it; where two do at the same time, the second finds it made. */
  void make(Session session) throws SQLException {
    session.inLongTransaction(
        () -> {
          long purgedTo = placing.lock(session.connection());
          if (!exists(session.connection())) {
            placing.place(session.connection(), purgedTo, start);
          }
          return purgedTo;
        });
  }

  private boolean exists(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(exists)) {
      key.bind(statement, 1);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
