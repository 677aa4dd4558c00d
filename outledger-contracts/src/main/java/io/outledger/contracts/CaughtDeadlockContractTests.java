// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.inbox.Received;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Work whose statement was the victim of a deadlock, which it catches and goes on. Some databases
 * have rolled back what came before, and take what follows for another transaction.
 */
abstract class CaughtDeadlockContractTests extends DatabaseContractTests {

  private static final int ATTEMPTS_MAX = 20;
  private static final int ACCOUNTS = 40;

  private CompletableFuture<Void> crossing = CompletableFuture.completedFuture(null);

  /** Whether the victim is the first statement of a batch, after which some drivers go on. */
  private boolean inBatch;

  @BeforeEach
  final void makeAccounts() {
    execute("CREATE TABLE account (id INTEGER PRIMARY KEY, cents INTEGER)");
    for (int id = 1; id <= ACCOUNTS; id++) {
      execute("INSERT INTO account VALUES (" + id + ", 0)");
    }
  }

  /** What follows the deadlock that the work has caught. */
  private interface After {
    void in(Connection work) throws SQLException;
  }

  @Test
  final void ourTransactionTakesNoEffectAtAll() {
    assertRefused(
        work -> {
          process().outbox().append(work, List.of(StoreContractTests.message("after")));
          update(work, "UPDATE account SET cents = 1 WHERE id = 5");
        });
  }

  @Test
  final void ourTransactionTakesNoEffectWhereABatchGoesOnAfterIt() {
    inBatch = true;
    assertRefused(
        work -> process().outbox().append(work, List.of(StoreContractTests.message("after"))));
  }

  @Test
  final void inboxThatIsAskedAfterItRemembersNothing() {
    Received message =
        new Received(
            "shop", "1", "orders", null, "order", 1, new byte[0], Map.of(), null, "place", "");
    assertRefused(work -> process().inbox("stock").process(work, message, () -> {}));
    assertThat(count("SELECT COUNT(*) FROM {schema}.outledger_inbox i")).isZero();
  }

  /** Whoever commits a transaction of their own gets what their database makes of it. */
  @Test
  final void ownTransactionKeepsEachMessageWithTheRowsBesideIt() {
    untilVictim(this::goOnInOwnTransaction);
    List<String> keys = messages().stream().map(Message::key).toList();
    assertThat(keys).doesNotContain("before");
    assertThat(cents(1)).isNotEqualTo(1);
    assertThat(keys.contains("after")).isEqualTo(cents(5) == 1);
  }

  private void goOnInOwnTransaction() throws SQLException {
    Connection other = other();
    try (Connection work = dataSource().getConnection()) {
      work.setAutoCommit(false);
      try {
        beVictim(work, other);
        append(work, "after");
        update(work, "UPDATE account SET cents = 1 WHERE id = 5");
        work.commit();
      } catch (SQLException | OutledgerException e) {
        work.rollback(); // this database refuses all that follows, or the commit
      } catch (NotTheVictim e) {
        work.rollback();
        throw e;
      }
    }
  }

  private void assertRefused(After after) {
    untilVictim(() -> goOnInOurTransaction(after));
    assertThat(messages()).isEmpty();
    assertThat(cents(1)).isNotEqualTo(1);
    assertThat(cents(5)).isZero();
  }

  private void goOnInOurTransaction(After after) throws SQLException {
    Connection other = other();
    try {
      process()
          .transactions()
          .run(
              work -> {
                beVictim(work, other);
                goOn(work, after);
              });
    } catch (OutledgerException e) {
      assertThat(e.code()).isIn(ErrorCode.STORE_FAILED, ErrorCode.TRANSACTION_NOT_YOURS);
      return;
    }
    throw new AssertionError("what follows a caught deadlock was committed");
  }

  /** A database that refuses all that follows is right, too. */
  private static void goOn(Connection work, After after) {
    try {
      after.in(work);
    } catch (SQLException | OutledgerException e) {
      assertThat(e).isNotNull();
    }
  }

  /** Tells that the other one was the victim, or that there was no deadlock: once more. */
  private static final class NotTheVictim extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private interface Attempt {
    void run() throws SQLException;
  }

  /** Where a database lets one transaction write at a time, none can meet. */
  private void untilVictim(Attempt attempt) {
    if (fixture().writers() == DatabaseFixture.Writers.ONE) {
      return;
    }
    for (int i = 1; i <= ATTEMPTS_MAX; i++) {
      if (isVictim(attempt)) {
        return;
      }
    }
    throw new AssertionError("the work was never the victim of a deadlock");
  }

  private boolean isVictim(Attempt attempt) {
    try {
      attempt.run();
      return true;
    } catch (NotTheVictim e) {
      return false;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } finally {
      crossing.join();
    }
  }

  /** Returns one that has begun before the work and changes more: it is no victim. */
  private Connection other() throws SQLException {
    Connection other = dataSource().getConnection();
    other.setAutoCommit(false);
    update(other, "UPDATE account SET cents = 7 WHERE id IN (2, 3, 4)");
    update(other, "UPDATE account SET cents = 7 WHERE id BETWEEN 6 AND " + ACCOUNTS);
    return other;
  }

  /** The work is the first to wait. */
  private void beVictim(Connection work, Connection other) throws SQLException {
    append(work, "before");
    update(work, "UPDATE account SET cents = 1 WHERE id = 1");
    CountDownLatch waits = new CountDownLatch(1);
    crossing = CompletableFuture.runAsync(() -> cross(other, waits));
    waits.countDown();
    try {
      waitFor(work);
    } catch (SQLException e) {
      return;
    }
    throw new NotTheVictim();
  }

  private void waitFor(Connection work) throws SQLException {
    String statement = "UPDATE account SET cents = 1 WHERE id = 2";
    if (!inBatch) {
      update(work, statement);
      return;
    }
    try (Statement batch = work.createStatement()) {
      batch.addBatch(statement);
      batch.addBatch("UPDATE account SET cents = 1 WHERE id = 5");
      batch.executeBatch();
    }
  }

  private static void cross(Connection connection, CountDownLatch waits) {
    try (Connection other = connection) {
      waits.await();
      try {
        update(other, "UPDATE account SET cents = 7 WHERE id = 1");
        other.commit();
      } catch (SQLException e) {
        other.rollback();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void append(Connection work, String key) {
    process().outbox().append(work, List.of(StoreContractTests.message(key)));
  }

  private long cents(int id) {
    return count("SELECT a.cents FROM account a WHERE a.id = ?", id);
  }

  private static void update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }
}
