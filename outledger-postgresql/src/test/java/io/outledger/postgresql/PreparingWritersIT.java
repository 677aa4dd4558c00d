// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A transaction is a writer at each moment of its change-over to a prepared one. */
class PreparingWritersIT {

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void writerIsFoundWhicheverOfItsLocksHasChangedOver() throws SQLException {
    for (String[] holders : new String[][] {{"3/17", "3/17"}, {"-1/700", "-1/700"}}) {
      assertThat(writers(holders[0], holders[1])).as("before, after").containsExactly(700L);
    }
    assertThat(writers("-1/700", "3/17")).as("the ledger's first").containsExactly(700L);
    assertThat(writers("3/17", "-1/700")).as("its id's first").containsExactly(700L);
    assertThat(writers("3/17", "4/2")).as("somebody else's").isEmpty();
  }

  @Test
  void preparedTransactionThatHasNotWrittenTheLedgerIsNone() throws SQLException {
    try (Connection connection = database.connect();
        Connection writing = database.connect();
        Statement statement = connection.createStatement();
        Session session =
            Session.open(
                database.dataSource(), SessionSettings.relay("kafka", StoreDatabase.LEASE))) {
      statement.execute("CREATE TABLE elsewhere (a int)");
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO elsewhere VALUES (1)");
      statement.execute("PREPARE TRANSACTION 'forgotten'");
      connection.setAutoCommit(true);
      writing.setAutoCommit(false);
      try (Statement write = writing.createStatement()) {
        write.execute(StoreDatabase.append(1));
        assertThat(new Writers(new Tables("public")).now(session)).hasSize(1);
      } finally {
        writing.rollback();
        statement.execute("ROLLBACK PREPARED 'forgotten'");
      }
    }
  }

  private Set<Long> writers(String ofLedger, String ofId) throws SQLException {
    database.execute(
        """
        CREATE TABLE IF NOT EXISTS locks AS SELECT * FROM pg_locks LIMIT 0;
        TRUNCATE locks;
        INSERT INTO locks (locktype, database, relation, virtualtransaction, mode, granted)
        SELECT 'relation', d.oid, 'outledger_message'::regclass, '%s', 'RowExclusiveLock', true
          FROM pg_database d WHERE d.datname = current_database();
        INSERT INTO locks (locktype, transactionid, virtualtransaction, mode, granted)
        VALUES ('transactionid', '700', '%s', 'ExclusiveLock', true)\
        """
            .formatted(ofLedger, ofId));
    try (Session session =
        Session.open(database.dataSource(), SessionSettings.relay("kafka", StoreDatabase.LEASE))) {
      return new Writers(new Tables("public"), "public.locks").now(session);
    }
  }

  @Test
  void transactionThatWasPreparedInAnotherDatabaseIsNone() throws SQLException {
    StoreDatabase other = StoreDatabase.create();
    try (Connection connection = other.connect();
        Statement statement = connection.createStatement();
        Session session =
            Session.open(
                database.dataSource(), SessionSettings.relay("kafka", StoreDatabase.LEASE))) {
      connection.setAutoCommit(false);
      statement.execute(StoreDatabase.append(1));
      statement.execute("PREPARE TRANSACTION 'elsewhere'");
      connection.setAutoCommit(true);
      try {
        assertThat(new Writers(new Tables("public")).now(session)).isEmpty();
      } finally {
        statement.execute("ROLLBACK PREPARED 'elsewhere'");
      }
    }
  }
}
