// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;

/** What a subscription may carry that has grown old, or whose database is in somebody's way. */
enum Burden {
  /** Nothing: a new database. */
  NONE("fresh") {
    @Override
    void lay(WaitingLedger ledger, Connection held, AgeingPlan plan) {}
  },

  /** Messages that have been published before and are still in the ledger. */
  SETTLED("settled messages behind it") {
    @Override
    void lay(WaitingLedger ledger, Connection held, AgeingPlan plan) throws SQLException {
      ledger.fill(plan.settled());
    }
  },

  /** Somebody's snapshot, so that nothing which is deleted meanwhile can be cleaned away. */
  SNAPSHOT("a snapshot held open") {
    @Override
    void lay(WaitingLedger ledger, Connection held, AgeingPlan plan) throws SQLException {
      held.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      Sql.run(held, "SELECT count(*) FROM outledger_message");
    }
  },

  /** A transaction that has appended and stays open, beside others of which many rolled back. */
  WRITER("a writer open beside roll-backs") {
    @Override
    void lay(WaitingLedger ledger, Connection held, AgeingPlan plan) throws SQLException {
      Sql.run(held, insert("'held'"));
      try (Connection connection = ledger.connect()) {
        Sql.run(connection, LOST_NUMBERS.formatted(plan.holes(), insert("'other'")));
      }
    }
  };

  // After each message a number that is drawn and lost, as a roll-back's is.
  private static final String LOST_NUMBERS =
      """
      DO $$ BEGIN
        FOR i IN 1..%d LOOP
          %s;
          PERFORM nextval('outledger_message_position');
        END LOOP;
      END $$\
      """;

  private final String label;

  Burden(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /**
   * Lays it on a ledger, before the relay begins.
   *
   * @param held a connection in a transaction, which stays open until all was measured
   */
  abstract void lay(WaitingLedger ledger, Connection held, AgeingPlan plan) throws SQLException;

  private static String insert(String key) {
    return "INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)"
        + " VALUES (clock_timestamp(), gen_random_uuid(), 1, 'orders', "
        + key
        + ", 'order.placed', '')";
  }
}
