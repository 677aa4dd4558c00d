// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The shop's own tables: accounts that writers lock, and the consumer's effects. */
public final class ShopTables {

  /** How many accounts there are. */
  public static final int ACCOUNTS = 40;

  /** How many of those there are whose messages are refused now and then. */
  public static final int REFUSED = 6;

  private ShopTables() {}

  /** Makes the tables and the accounts. */
  public static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE account (key text PRIMARY KEY, counter bigint NOT NULL DEFAULT 0)");
      statement.execute(
          "INSERT INTO account (key) SELECT 'a' || n FROM generate_series(1, " + ACCOUNTS + ") n");
      statement.execute(
          "INSERT INTO account (key) SELECT 'r' || n FROM generate_series(1, " + REFUSED + ") n");
      // Deliberately without a key: a second effect must be visible, not refused.
      statement.execute("CREATE TABLE effect (consumer text NOT NULL, message_id uuid NOT NULL)");
      statement.execute("CREATE INDEX effect_message ON effect (message_id)");
    }
  }

  /** Says whether messages of an account are refused now and then, where there is an operator. */
  static boolean isRefused(@Nullable String key) {
    return key != null && key.startsWith("r");
  }

  /** Locks an account and adds to its counter, and returns the new value. By primary key. */
  static long count(Connection connection, String key, int more) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE account SET counter = counter + ? WHERE key = ? RETURNING counter")) {
      update.setInt(1, more);
      update.setString(2, key);
      try (var row = update.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  static void effect(Connection connection, String consumer, UUID id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect (consumer, message_id) VALUES (?, ?)")) {
      insert.setString(1, consumer);
      insert.setObject(2, id);
      insert.executeUpdate();
    }
  }
}
