// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Tells a transaction which of two outboxes to append to, while an application moves. */
final class OutboxSwitch {

  boolean hasMoved(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock_shared(4711)");
      try (ResultSet row = statement.executeQuery("SELECT moved FROM outbox_switch")) {
        return row.next() && row.getBoolean("moved");
      }
    }
  }
}
