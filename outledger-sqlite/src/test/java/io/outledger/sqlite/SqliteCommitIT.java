// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.JdbcTransactions;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteDataSource;

/** A commit that has taken effect returns, whoever has the lock for writers right after it. */
class SqliteCommitIT {

  private static final int ROUNDS = 200;

  @Test
  void nobodyWaitsForTheLockOfTheNextTransaction() throws Exception {
    try (TestSqlite database = TestSqlite.create();
        Connection other = impatient(database).getConnection()) {
      database.execute("CREATE TABLE counted (n INTEGER)");
      JdbcTransactions transactions = new JdbcTransactions(impatient(database));
      for (int round = 1; round <= ROUNDS; round++) {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        CompletableFuture<Void> next =
            CompletableFuture.runAsync(() -> takeTheLock(other, written, returned));
        try {
          transactions.run(
              work -> {
                execute(work, "INSERT INTO counted VALUES (1)");
                written.countDown();
              });
        } finally {
          written.countDown();
          returned.countDown();
          next.join();
        }
      }
      assertThat(Sql.of(other, "SELECT COUNT(*) FROM counted").number()).isEqualTo(ROUNDS);
    }
  }

  /** Takes it as soon as it can be had, and keeps it until the transaction has returned. */
  private static void takeTheLock(
      Connection other, CountDownLatch written, CountDownLatch returned) {
    try {
      written.await();
      while (!isTaken(other)) {
        Thread.onSpinWait();
      }
      returned.await();
      execute(other, "ROLLBACK");
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isTaken(Connection other) throws SQLException {
    try {
      execute(other, "BEGIN IMMEDIATE");
      return true;
    } catch (SQLException e) {
      if (SqliteErrors.TABLE.classOf(e) != ErrorClass.LOCK_TIMEOUT) {
        throw e;
      }
      return false;
    }
  }

  private static SQLiteDataSource impatient(TestSqlite database) {
    SQLiteDataSource dataSource = TestSqlite.dataSource(database.file());
    dataSource.getConfig().setBusyTimeout(0);
    dataSource.getConfig().setTransactionMode(TransactionMode.IMMEDIATE);
    return dataSource;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
