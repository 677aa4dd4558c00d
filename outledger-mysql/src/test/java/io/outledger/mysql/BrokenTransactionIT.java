// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.StoreException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcTransactions;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transaction of the work that the server has ended on the way is not committed. */
abstract class BrokenTransactionIT {

  private static final int DEADLOCK = 1213;

  private final TestDatabase database;
  private final JdbcTransactions transactions;

  BrokenTransactionIT(TestDatabase empty) {
    this.database = empty;
    this.transactions = new JdbcTransactions(empty.dataSource());
  }

  @BeforeEach
  void open() {
    database.execute("CREATE TABLE {schema}.account (id INTEGER PRIMARY KEY, cents INTEGER)");
    database.execute("INSERT INTO {schema}.account VALUES (1, 0), (2, 0), (3, 0), (4, 0), (9, 0)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void workThatGoesOnAfterADeadlockTakesNoEffect() throws Exception {
    assertRefused("OUT-027", transactions, work -> {});
  }

  @Test
  void inboxThatIsAskedAfterADeadlockRemembersNothing() throws Exception {
    database.withTables();
    Received message =
        new Received(
            "shop", "1", "orders", null, "order", 1, new byte[0], Map.of(), null, "place", "");
    try (Outledger outledger =
        Outledger.builder(database.dataSource())
            .schema(database.tables().schema())
            .withoutRetention()
            .build()) {
      assertRefused(
          "OUT-030",
          outledger.transactions(),
          work -> outledger.inbox("stock").process(work, message, () -> {}));
    }
    assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_inbox i")).isZero();
  }

  /** What follows a deadlock that the work has caught. */
  private interface After {
    void in(Connection work) throws SQLException;
  }

  private void assertRefused(String code, JdbcTransactions transactions, After after)
      throws SQLException {
    try (Connection other = database.connect()) {
      other.setAutoCommit(false);
      // The server rolls back who has changed less.
      execute(other, "UPDATE account SET cents = 7 WHERE id BETWEEN 2 AND 4");
      assertThatThrownBy(
              () ->
                  transactions.run(
                      work -> {
                        deadlock(work, other);
                        after.in(work);
                      }))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith(code)
          .hasMessageContaining("deadlock");
    }
    assertThat(database.number("SELECT SUM(a.cents) FROM {schema}.account a")).isEqualTo(28);
    transactions.run(work -> execute(work, "UPDATE account SET cents = 0"));
    assertThat(database.number("SELECT SUM(a.cents) FROM {schema}.account a")).isZero();
  }

  private static void deadlock(Connection work, Connection other) throws SQLException {
    execute(work, "UPDATE account SET cents = 1 WHERE id = 1");
    CompletableFuture<Void> crossing =
        CompletableFuture.runAsync(
            () -> {
              try {
                execute(other, "UPDATE account SET cents = 7 WHERE id = 1");
                other.commit();
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThatThrownBy(() -> execute(work, "UPDATE account SET cents = 2 WHERE id = 2"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(DEADLOCK));
    crossing.join();
    execute(work, "UPDATE account SET cents = 100 WHERE id = 9");
  }

  @Test
  void workIsToldOfAStatementThatCommits() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    work -> {
                      execute(work, "UPDATE account SET cents = 1 WHERE id = 1");
                      execute(work, "CREATE TABLE another (id INTEGER)");
                      execute(work, "UPDATE account SET cents = 100 WHERE id = 9");
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("CREATE TABLE");
    assertThat(database.number("SELECT SUM(a.cents) FROM {schema}.account a")).isOne();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
