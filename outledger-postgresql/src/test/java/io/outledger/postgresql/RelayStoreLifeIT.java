// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.ParkedPlace;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class RelayStoreLifeIT {

  /** What the driver was receiving then must not be taken for the answer to the next question. */
  @Test
  void connectionIsOfNoUseAfterAnErrorInTheDriver() throws SQLException {
    // While a session is opened, and in the middle of one.
    assertThatErrorEndsConnection(1);
    assertThatErrorEndsConnection(4);
  }

  private static void assertThatErrorEndsConnection(int statements) throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    List<Connection> opened = new ArrayList<>();
    DataSource failing =
        proxy(
            DataSource.class,
            database.dataSource(),
            connection -> {
              opened.add((Connection) connection);
              return opened.size() > 1 ? connection : failing((Connection) connection, statements);
            });
    Stores stores = new Stores(failing);
    try (RelayStore store = stores.relayStore("kafka", Start.EARLIEST, StoreDatabase.LEASE)) {
      assertThatThrownBy(store::look).isInstanceOf(StackOverflowError.class);
      assertThat(opened.get(0).isClosed()).isTrue();
      assertThat(store.look().released()).isTrue();
      assertThat(opened).hasSize(2);
    }
  }

  private static Connection failing(Connection connection, int after) {
    AtomicInteger statements = new AtomicInteger();
    return proxy(
        Connection.class,
        connection,
        result -> {
          if (result instanceof PreparedStatement && statements.incrementAndGet() == after) {
            throw new StackOverflowError("planted");
          }
          return result;
        });
  }

  /** Stands before an object of a driver, and does something with what its methods return. */
  private static <T> T proxy(Class<T> type, T object, UnaryOperator<Object> returned) {
    InvocationHandler handler =
        (self, method, arguments) -> {
          Object result = method.invoke(object, arguments);
          return result == null ? null : returned.apply(result);
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void leaseIsTakenPolledSavedAndGivenBack() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(5));
    try (RelayStore store = database.store("kafka")) {
      CursorRow row = store.look();
      assertThat(row.released()).isTrue();
      UUID me = UUID.randomUUID();
      LeaseGrant grant = store.takeOver(row, me, StoreDatabase.LEASE, () -> {}).orElseThrow();
      assertThat(grant.frontier()).isEqualTo(Frontier.START);
      Page page = store.poll(new PollRequest(0, 3, 1000, Positions.NONE));
      assertThat(page.messages()).extracting("position").containsExactly(1L, 2L, 3L);
      assertThat(page.readTo()).isEqualTo(3);
      assertThat(page.more()).isTrue();
      assertThat(page.newest()).isEqualTo(grant.n());
      assertThat(page.server()).isEqualTo(grant.server());
      Frontier frontier = grant.frontier().readTo(3).settle(Positions.range(1, 2));
      Save save =
          new Save(
              grant.n(),
              me,
              grant.server(),
              Duration.ZERO,
              frontier,
              Positions.NONE,
              Positions.NONE,
              List.of(),
              null,
              Set.of());
      SaveOutcome outcome = store.save(save);
      assertThat(outcome).isInstanceOf(SaveOutcome.Saved.class);
      assertThat(((SaveOutcome.Saved) outcome).witness())
          .isGreaterThan(page.snapshot().horizon() - 1);
      assertThat(store.save(save)).isInstanceOf(SaveOutcome.Fenced.class);
      assertThat(store.look().released()).isTrue();
      assertThat(
              store
                  .takeOver(store.look(), me, StoreDatabase.LEASE, () -> {})
                  .orElseThrow()
                  .frontier())
          .isEqualTo(frontier);
      store.checkPreconditions(3);
      assertThat(store.writers()).isEmpty();
      assertThat(store.blockers()).contains("no open transaction");
      assertThat(store.due(Set.of(""), Set.of(), 10)).isEmpty();
      assertThat(store.held("", "k1", 10)).isEmpty();
      assertThat(store.discards(ParkedPlace.FIRST, 10)).isEmpty();
      store.purgeCursor(page.newest());
    }
  }
}
