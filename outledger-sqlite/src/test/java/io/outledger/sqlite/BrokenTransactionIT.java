// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.StoreException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcTransactions;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteDataSource;

/** A transaction of the work that SQLite has rolled back on the way is not committed. */
class BrokenTransactionIT {

  private static final Received MESSAGE =
      new Received(
          "shop", "1", "orders", null, "order", 1, new byte[0], Map.of(), null, "place", "");

  private final TestSqlite database = TestSqlite.create();

  @BeforeEach
  void createTables() {
    database.execute("CREATE TABLE account (cents INTEGER)");
    database.execute(
        "CREATE TRIGGER positive BEFORE INSERT ON account WHEN NEW.cents < 0"
            + " BEGIN SELECT RAISE(ROLLBACK, 'overdrawn'); END");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void workThatGoesOnAfterARollBackTakesNoEffect() throws SQLException {
    JdbcTransactions transactions = new JdbcTransactions(database.dataSource());
    assertThatThrownBy(() -> transactions.run(BrokenTransactionIT::goOnAfterARollBack))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("OUT-027")
        .hasMessageContaining("ROLLBACK");
    assertThat(count("account")).isZero();
    transactions.run(work -> execute(work, "INSERT INTO account VALUES (5)"));
    assertThat(count("account")).isOne();
  }

  /** Else the statements that follow would be committed, each by itself. */
  @Test
  void workGoesOnInATransactionAlsoWhereAnotherOneHasTheLock() throws SQLException {
    SQLiteDataSource impatient = TestSqlite.dataSource(database.file());
    impatient.getConfig().setBusyTimeout(0);
    try (Connection work = impatient.getConnection();
        Connection other = impatient.getConnection()) {
      SqliteBounds.WRITING.open(work);
      execute(work, "ROLLBACK"); // as the trigger does
      execute(other, "BEGIN IMMEDIATE");
      SqliteBounds.WRITING.afterFailure(work, new SQLException("overdrawn"));
      execute(other, "ROLLBACK");
      execute(work, "INSERT INTO account VALUES (100)");
      assertThatThrownBy(() -> SqliteBounds.WRITING.commit(work)).isInstanceOf(SQLException.class);
      SqliteBounds.WRITING.rollBack(work);
    }
    assertThat(count("account")).isZero();
  }

  @Test
  void inboxThatIsAskedAfterARollBackRemembersNothing() throws SQLException {
    try (Outledger outledger =
        Outledger.builder(database.dataSource()).withoutRetention().build()) {
      assertThatThrownBy(
              () ->
                  outledger
                      .transactions()
                      .run(
                          work -> {
                            goOnAfterARollBack(work);
                            outledger.inbox("stock").process(work, MESSAGE, () -> {});
                          }))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("OUT-030");
    }
    assertThat(count("account")).isZero();
    assertThat(count("outledger_inbox")).isZero();
  }

  private static void goOnAfterARollBack(Connection work) throws SQLException {
    execute(work, "INSERT INTO account VALUES (1)");
    assertThatThrownBy(() -> execute(work, "INSERT INTO account VALUES (-1)"))
        .hasMessageContaining("overdrawn");
    execute(work, "INSERT INTO account VALUES (100)");
  }

  private long count(String table) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      return Sql.of(connection, "SELECT COUNT(*) FROM " + table).number();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
