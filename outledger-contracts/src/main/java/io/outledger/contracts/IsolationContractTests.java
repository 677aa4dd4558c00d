// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.event.EventHandlers;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.FrameworkTransaction;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedReceipts;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A key keeps its order at every isolation: a message that waits for its key's lock, behind a dead
 * letter, sees that the dead letter is retried meanwhile.
 */
abstract class IsolationContractTests extends DatabaseContractTests {

  private static final int ANY = 100;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> handled = new CopyOnWriteArrayList<>();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  final void endThreads() {
    threads.shutdownNow();
  }

  private void handle(String id) throws InterruptedException {
    if (id.equals("slow")) {
      entered.countDown();
      assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
    }
    handled.add(id);
  }

  @Test
  final void retriedDeadLetterIsNotOvertakenAtRepeatableRead() throws Exception {
    assertNotOvertaken(Connection.TRANSACTION_REPEATABLE_READ, false);
  }

  @Test
  final void retriedDeadLetterIsNotOvertakenAtSerializable() throws Exception {
    assertNotOvertaken(Connection.TRANSACTION_SERIALIZABLE, false);
  }

  @Test
  final void retriedDeadLetterIsNotOvertakenInTransactionsOfAFramework() throws Exception {
    assertNotOvertaken(Connection.TRANSACTION_REPEATABLE_READ, true);
  }

  private void assertNotOvertaken(int isolation, boolean isOfFramework) throws Exception {
    if (fixture().writers() == DatabaseFixture.Writers.ONE) {
      return; // who waits for the lock has read nothing
    }
    HostileSettings none = new HostileSettings(List.of(), fixture().hostileSettings().shown());
    HostilePool pool = new HostilePool(dataSource(), none, isolation, true);
    try (Outledger usual = outledger(dataSource());
        Outledger other = outledger(pool.dataSource())) {
      ReceiverStore store = store(usual, () -> new Framework(pool), false);
      store.park(
          message(usual, "dead"),
          new ParkedFailure(ParkedState.DEAD, false, 3, "no stock", Duration.ZERO),
          ANY);
      CompletableFuture<?> slow = process(store, message(usual, "slow"));
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
      CountDownLatch waits = new CountDownLatch(1);
      pool.tell(
          sql -> {
            if (sql.contains("_lock")) {
              waits.countDown();
            }
          });
      CompletableFuture<?> late =
          process(store(other, () -> new Framework(pool), isOfFramework), message(usual, "late"));
      assertThat(waits.await(30, TimeUnit.SECONDS)).isTrue();
      pool.tell(sql -> {});
      retry(usual.inbox("stock").parked(), store);
      goOn.countDown();
      slow.get(30, TimeUnit.SECONDS);
      late.get(30, TimeUnit.SECONDS);
      assertThat(handled).containsExactly("slow");
      assertThat(store.retry(store.due(ANY).get(0))).isTrue();
      assertThat(handled).containsExactly("slow", "dead");
    }
  }

  private static void retry(ParkedReceipts parked, ReceiverStore store) {
    assertThat(parked.retry(ParkedSelection.ALL)).isEqualTo(1);
    store.carryOutRequests(ANY);
  }

  private CompletableFuture<?> process(ReceiverStore store, Received message) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            store.process(List.of(message), ANY);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        threads);
  }

  private static Outledger outledger(DataSource dataSource) {
    return Outledger.builder(dataSource)
        .serializer(TripSaga.TEXTS)
        .events(TripSaga::register)
        .withoutRetention()
        .build();
  }

  /** All are of one key. */
  private static Received message(Outledger outledger, String text) {
    Message message = outledger.events().message(new TripSaga.Planned(text));
    return Received.of("travel", message.copy().key("a").build());
  }

  private ReceiverStore store(
      Outledger outledger, Supplier<FrameworkTransaction> framework, boolean isOfFramework) {
    JdbcInbox inbox = outledger.inbox("stock");
    Consumer<EventHandlers.Builder<EventContext>> handlers =
        all -> all.on(TripSaga.Planned.class, (event, context) -> handle(event.text()));
    Outbox outbox = outledger.outbox().boundTo(outledger.transactions());
    BatchHandler handler =
        isOfFramework ? inbox.handler(framework, outbox, handlers) : inbox.handler(handlers);
    return ((ParkingHandler) handler).store();
  }

  /** A framework's transaction, at the isolation of its pool. */
  private static final class Framework implements FrameworkTransaction {

    private final HostilePool pool;
    private @Nullable Connection connection;

    Framework(HostilePool pool) {
      this.pool = pool;
    }

    @Override
    public Connection begin() throws SQLException {
      Connection begun = pool.dataSource().getConnection();
      begun.setAutoCommit(false);
      connection = begun;
      return begun;
    }

    @Override
    public void commit(Runnable failing) throws SQLException {
      try (Connection ending = Objects.requireNonNull(connection)) {
        ending.commit();
        ending.setAutoCommit(true);
      }
    }

    @Override
    public void rollBack(Throwable failure) {
      try (Connection ending = Objects.requireNonNull(connection)) {
        ending.rollback();
        ending.setAutoCommit(true);
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
