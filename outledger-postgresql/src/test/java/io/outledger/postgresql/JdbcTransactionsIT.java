// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.StoreException;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.JdbcTransactions;
import io.outledger.jdbc.OutboxBench;
import io.outledger.servers.Postgres;
import io.outledger.servers.TcpProxy;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

final class JdbcTransactionsIT {

  private static final TestDatabase DATABASE = TestDatabase.create();

  private final List<String> wakeups = new ArrayList<>();
  private PoolOfOne pool;
  private JdbcTransactions transactions;
  private JdbcOutbox outbox;

  @BeforeEach
  void open() throws SQLException {
    DATABASE.execute("TRUNCATE outledger_message");
    pool = new PoolOfOne(DATABASE.dataSource());
    transactions = new JdbcTransactions(pool);
    outbox = OutboxBench.outbox(pool, transactions, () -> wakeups.add("woken with " + committed()));
  }

  @AfterEach
  void nothingLeaked() throws SQLException {
    assertThat(pool.isLent()).isFalse();
    pool.close();
  }

  private static Message message() {
    return Message.to("orders", "order.placed").key("o-1").build();
  }

  private static long committed() {
    return DATABASE.count("outledger_message");
  }

  @Test
  void whatReturnsIsCommittedAndRelaysAreWokenOnceAfterwards() throws SQLException {
    transactions.run(
        connection -> {
          outbox.append(connection, message());
          outbox.append(connection, message(), message());
          assertThat(wakeups).isEmpty();
        });
    assertThat(committed()).isEqualTo(3);
    assertThat(wakeups).containsExactly("woken with 3");
  }

  @Test
  void aTransactionWithoutMessagesWakesNobody() {
    transactions.run(connection -> {});
    transactions.run(connection -> outbox.append(connection));
    assertThat(wakeups).isEmpty();
  }

  @Test
  void whateverIsThrownRollsBackAndComesOutAsItIs() {
    for (Throwable thrown :
        List.of(
            new IOException("a"), new IllegalStateException("b"), new StackOverflowError("c"))) {
      assertThatThrownBy(
              () ->
                  transactions.run(
                      connection -> {
                        outbox.append(connection, message());
                        if (thrown instanceof Error error) {
                          throw error;
                        }
                        throw (Exception) thrown;
                      }))
          .isSameAs(thrown);
    }
    assertThat(committed()).isZero();
    assertThat(wakeups).isEmpty();
  }

  @Test
  void workHasAResult() throws SQLException {
    UUID id = transactions.call(connection -> outbox.append(connection, message()).get(0));
    assertThat(DATABASE.query("SELECT id FROM outledger_message")).containsExactly(id.toString());
  }

  @Test
  void aBoundOutboxUsesTheRunningTransaction() {
    Outbox bound = outbox.boundTo(transactions);
    transactions.run(
        connection -> {
          assertThat(transactions.connection()).isSameAs(connection);
          assertThat(bound.append(message(), message())).hasSize(2);
        });
    assertThat(committed()).isEqualTo(2);
    assertThat(wakeups).containsExactly("woken with 2");
    assertThatThrownBy(() -> bound.append(message()))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("OUT-001");
  }

  @Test
  void anOutboxOfAConnectionUsesItsTransaction() throws SQLException {
    transactions.run(
        connection -> {
          Outbox on = outbox.on(connection);
          assertThat(on.append(message())).hasSize(1);
          assertThat(on.append(List.of(message(), message()))).hasSize(2);
          assertThat(committed()).isZero();
        });
    assertThat(committed()).isEqualTo(3);
    assertThat(wakeups).containsExactly("woken with 3");
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      assertThatThrownBy(() -> outbox.on(connection).append(message()))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("OUT-001");
    }
  }

  @Test
  void anInnerTransactionJoinsTheOuterOne() {
    transactions.run(
        outer ->
            transactions.run(
                inner -> {
                  assertThat(inner).isSameAs(outer);
                  outbox.append(inner, message());
                }));
    assertThat(committed()).isEqualTo(1);
  }

  @Test
  void aCaughtFailureOfJoinedWorkStillRollsEverythingBack() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    outer -> {
                      outbox.append(outer, message());
                      try {
                        transactions.run(
                            inner -> {
                              throw new IllegalArgumentException("half done");
                            });
                      } catch (IllegalArgumentException e) {
                        assertThat(e).hasMessage("half done");
                      }
                    }))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED))
        .hasMessageContaining("rolled back");
    assertThat(committed()).isZero();
    assertThat(wakeups).isEmpty();
  }

  @Test
  void anInterruptedWorkIsRolledBackAndTheInterruptPassedOn() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      outbox.append(connection, message());
                      throw new InterruptedException("stop");
                    }))
        .isInstanceOf(InterruptedException.class);
    assertThat(committed()).isZero();
  }

  @Test
  void aHookThatFailsDoesNotMakeTheTransactionLookFailed() {
    List<String> ran = new ArrayList<>();
    transactions.run(
        connection -> {
          transactions.afterCommit(
              () -> {
                throw new IllegalStateException("hook");
              });
          transactions.afterCommit(() -> ran.add("second"));
          outbox.append(connection, message());
        });
    assertThat(committed()).isEqualTo(1);
    assertThat(ran).containsExactly("second");
    assertThat(wakeups).hasSize(1);
  }

  @Test
  void aHookMayRunATransactionOfItsOwn() {
    transactions.run(
        connection ->
            transactions.afterCommit(
                () -> transactions.run(next -> outbox.append(next, message()))));
    assertThat(committed()).isEqualTo(1);
  }

  @Test
  void codeWithoutATransactionAppendsInANewOneOnAPoolOfOne() {
    List<UUID> ids = outbox.inNewTransaction(message(), message());
    assertThat(ids).hasSize(2);
    assertThat(committed()).isEqualTo(2);
    assertThat(wakeups).containsExactly("woken with 2");
  }

  @Test
  void aNewTransactionInsideARunningOneIsApartFromIt() {
    JdbcTransactions two = new JdbcTransactions(DATABASE.dataSource());
    JdbcOutbox overflow = OutboxBench.outbox(DATABASE.dataSource(), two, () -> {});
    assertThatThrownBy(
            () ->
                two.run(
                    connection -> {
                      overflow.append(connection, message());
                      overflow.inNewTransaction(message(), message());
                      assertThat(two.connection()).isSameAs(connection);
                      throw new IllegalStateException("roll back");
                    }))
        .hasMessage("roll back");
    assertThat(committed()).isEqualTo(2);
  }

  @Test
  void aRefusedCommitSaysThatNothingTookEffect() {
    DATABASE.execute("CREATE TABLE deferred (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      outbox.append(connection, message());
                      execute(connection, "INSERT INTO deferred VALUES (1), (1)");
                    }))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED))
        .hasMessageContaining("commit")
        .hasMessageNotContaining("unknown");
    assertThat(committed()).isZero();
    assertThat(wakeups).isEmpty();
  }

  @Test
  void aTransactionThatFailedOnTheServerIsNotTakenForCommitted() {
    assertRefusesAFailedTransaction(transactions);
  }

  @Test
  void aDriverThatDoesNotTellItsStateIsAskedThroughTheServer() {
    Watched source = new Watched(call -> !call.equals("isWrapperFor"));
    DATABASE.configured(source, Postgres.shared().port());
    assertRefusesAFailedTransaction(new JdbcTransactions(source));
  }

  private void assertRefusesAFailedTransaction(JdbcTransactions refusing) {
    assertThatThrownBy(
            () ->
                refusing.run(
                    connection -> {
                      outbox.append(connection, message());
                      try {
                        execute(connection, "SELECT 1 / 0");
                      } catch (SQLException e) {
                        assertThat(e.getSQLState()).isEqualTo("22012");
                      }
                    }))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED))
        .hasMessageContaining("an earlier statement of the transaction failed");
    assertThat(committed()).isZero();
    assertThat(wakeups).isEmpty();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aCommitWhoseReplyIsLostIsUnknownAndNotTriedAgain() {
    try (TcpProxy line = TcpProxy.before(Postgres.shared().port())) {
      // The commit reaches the server, and its caller never hears of it.
      Watched source =
          new Watched(
              call -> {
                if (call.equals("commit")) {
                  line.swallowReplies();
                }
                return true;
              });
      DATABASE.configured(source, line.port());
      source.setSocketTimeout(3);
      JdbcTransactions far = new JdbcTransactions(source);
      assertThatThrownBy(() -> far.run(connection -> outbox.append(connection, message())))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
          .hasMessageContaining("unknown");
    }
    // This one did commit; the caller was told that it may have, and nothing was done twice.
    assertThat(committed()).isEqualTo(1);
    assertThat(wakeups).isEmpty();
  }

  @Test
  void withoutADatabaseItSaysSo() {
    PGSimpleDataSource nowhere = DATABASE.dataSource(1);
    assertThatThrownBy(() -> new JdbcTransactions(nowhere).run(connection -> {}))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
  }

  /** Does something before each call of a connection; false as its answer leaves the call out. */
  private static final class Watched extends PGSimpleDataSource {

    private final transient Predicate<String> before;

    Watched(Predicate<String> before) {
      this.before = before;
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (!before.test(method.getName())) {
                  return false;
                }
                try {
                  return method.invoke(connection, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getTargetException();
                }
              });
    }
  }
}
