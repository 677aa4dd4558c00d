// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.Retention;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** How a ledger gets rid of old messages. */
enum Shelf {
  /** The product: old rows are deleted, and their room is used again once it is vacuumed. */
  DELETED("rows are deleted") {
    @Override
    void make(Connection connection, LifetimePlan plan) {}

    @Override
    void remove(WaitingLedger ledger, LifetimePlan plan, int day) {
      Duration age = Duration.ofDays(plan.age(day) + plan.keptDays());
      Retention.of(ledger.dataSource(), "public", InboxRetention.DEFAULT).purgeMessages(age);
    }
  },

  /**
   * A prototype, which the product refuses: the ledger is split by ranges of positions, of which
   * the oldest are dropped.
   */
  DROPPED("ranges are dropped") {
    @Override
    void make(Connection connection, LifetimePlan plan) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(SPLIT);
        for (int day = 0; day < plan.days(); day++) {
          long from = 1 + (long) day * plan.perDay();
          statement.execute(RANGE.formatted(day, from, from + plan.perDay()));
        }
      }
    }

    @Override
    DataSource shown(DataSource dataSource) {
      return HiddenPartitions.in(dataSource);
    }

    /** Whoever does this in earnest looks first whether every subscription has settled it. */
    @Override
    void remove(WaitingLedger ledger, LifetimePlan plan, int day) throws SQLException {
      int old = day - plan.keptDays();
      if (old < 0) {
        return;
      }
      try (Connection connection = ledger.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("DROP TABLE outledger_message_" + old);
      }
    }
  };

  // The same columns and number, and no row yet.
  private static final String SPLIT =
      """
      ALTER SEQUENCE outledger_message_position OWNED BY NONE;
      ALTER TABLE outledger_message RENAME TO whole;
      CREATE TABLE outledger_message (LIKE whole INCLUDING DEFAULTS) PARTITION BY RANGE (position);
      DROP TABLE whole CASCADE;
      ALTER TABLE outledger_message ADD PRIMARY KEY (position)\
      """;

  private static final String RANGE =
      "CREATE TABLE outledger_message_%d PARTITION OF outledger_message FOR VALUES FROM (%d) TO"
          + " (%d)";

  private final String label;

  Shelf(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** Prepares an empty ledger. */
  abstract void make(Connection connection, LifetimePlan plan) throws SQLException;

  /** Returns the database as the relay sees it. */
  DataSource shown(DataSource dataSource) {
    return dataSource;
  }

  /** Removes what is older than is kept, at the end of a day. */
  abstract void remove(WaitingLedger ledger, LifetimePlan plan, int day) throws SQLException;
}
