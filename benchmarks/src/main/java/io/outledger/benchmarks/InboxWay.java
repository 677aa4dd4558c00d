// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** A way to process each message once. The work itself is left out, for it is the same for all. */
enum InboxWay {
  /** What tutorials show: look for the id, insert it where it is not there, commit. */
  TUTORIAL("SELECT, then INSERT, one by one", "processed_message", 1) {
    @Override
    int process(JdbcInbox inbox, Connection connection, List<Received> batch) throws SQLException {
      int fresh = 0;
      for (Received message : batch) {
        fresh += isKnown(connection, message) ? 0 : remember(connection, message);
      }
      return fresh;
    }
  },

  /** An inbox, one message a transaction. */
  ONE_BY_ONE("inbox, one by one", "outledger_inbox", 1) {
    @Override
    int process(JdbcInbox inbox, Connection connection, List<Received> batch) {
      int[] fresh = new int[1];
      for (Received message : batch) {
        inbox.process(connection, message, () -> fresh[0]++);
      }
      return fresh[0];
    }
  },

  /** An inbox, as many messages a transaction as a Kafka consumer polls. */
  BATCHED("inbox, batches of 500", "outledger_inbox", 500) {
    @Override
    int process(JdbcInbox inbox, Connection connection, List<Received> batch) {
      int[] fresh = new int[1];
      inbox.processAll(connection, batch, messages -> fresh[0] += messages.size());
      return fresh[0];
    }
  };

  /** As the tutorials have it: the id alone, since they know of one consumer and one sender. */
  static final String TABLE =
      """
      CREATE TABLE processed_message (
        message_id   varchar(255) PRIMARY KEY,
        processed_at timestamptz NOT NULL DEFAULT now())\
      """;

  private final String label;
  private final String table;
  private final int batch;

  InboxWay(String label, String table, int batch) {
    this.label = label;
    this.table = table;
    this.batch = batch;
  }

  String label() {
    return label;
  }

  /** Returns the table that remembers the ids. */
  String table() {
    return table;
  }

  /** Returns how many messages a transaction takes. */
  int batch() {
    return batch;
  }

  /** Processes messages in the open transaction, and returns how many were new. */
  abstract int process(JdbcInbox inbox, Connection connection, List<Received> batch)
      throws SQLException;

  private static boolean isKnown(Connection connection, Received message) throws SQLException {
    try (PreparedStatement look =
        connection.prepareStatement("SELECT 1 FROM processed_message WHERE message_id = ?")) {
      look.setString(1, message.id());
      try (ResultSet row = look.executeQuery()) {
        return row.next();
      }
    }
  }

  private static int remember(Connection connection, Received message) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO processed_message (message_id) VALUES (?)")) {
      insert.setString(1, message.id());
      return insert.executeUpdate();
    }
  }
}
