// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.EventHandler;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.FrameworkTransaction;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Transactions;
import io.outledger.relay.Relay;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handlers of a relay in transactions that a framework runs. */
class FrameworkHandlersIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Backoff AT_ONCE = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));

  private final TestH2 database = TestH2.create();
  private final Outledger outledger =
      Outledger.builder(database.dataSource())
          .serializer(new Texts())
          .withoutRetention()
          .events(
              events -> {
                events.register(Placed.class, t -> t.name("placed").topic("o").key(Placed::id));
                events.register(Billed.class, t -> t.name("billed").topic("o").key(Billed::id));
              })
          .build();
  private final Framework framework = new Framework();
  private final List<Integer> attempts = new CopyOnWriteArrayList<>();

  /** What comes. */
  record Placed(String id) {}

  /** What the handler appends. */
  record Billed(String id) {}

  @BeforeEach
  void createTable() {
    database.execute("CREATE TABLE bill (id VARCHAR(20))");
  }

  @AfterEach
  void close() throws SQLException {
    outledger.close();
    database.close();
  }

  @Test
  void handlersWorkAndWhatItAppendsAreCommittedByTheFramework() throws Exception {
    outledger.outbox().inNewTransaction(new Placed("o-1"));

    run((placed, context) -> bill(placed), () -> framework.ended.size() == 1);

    assertThat(rows("SELECT id FROM bill")).containsExactly("o-1");
    assertThat(rows("SELECT type FROM outledger_message ORDER BY position"))
        .containsExactly("placed", "billed");
    assertThat(rows("SELECT message_hash FROM outledger_inbox")).hasSize(1);
    assertThat(framework.ended).containsExactly("commit");
  }

  @Test
  void handlerThatFailsIsRolledBackByTheFrameworkAndTriedAgain() throws Exception {
    outledger.outbox().inNewTransaction(new Placed("o-1"));

    run(
        (placed, context) -> {
          attempts.add(context.attempt().orElseThrow());
          bill(placed);
          assertThat(context.connection()).isSameAs(framework.connection());
          if (attempts.size() == 1) {
            throw new IllegalStateException("not yet");
          }
        },
        () -> framework.ended.size() == 2);

    assertThat(attempts).containsExactly(1, 2);
    assertThat(rows("SELECT id FROM bill")).containsExactly("o-1");
    assertThat(framework.ended).containsExactly("roll back", "commit");
  }

  @Test
  void typeThatNoHandlerNamesCostsNoTransaction() throws Exception {
    outledger.outbox().inNewTransaction(new Billed("o-1"), new Placed("o-2"));

    run((placed, context) -> bill(placed), () -> framework.ended.size() == 1);

    assertThat(rows("SELECT id FROM bill")).containsExactly("o-2");
  }

  /** What a handler calls, which finds the framework's transaction by its thread. */
  private void bill(Placed placed) throws SQLException {
    try (Statement insert = framework.connection().createStatement()) {
      insert.execute("INSERT INTO bill VALUES ('" + placed.id() + "')");
    }
    outledger.outbox().boundTo(framework).append(new Billed(placed.id()));
  }

  private void run(EventHandler<Placed, EventContext> handler, BooleanSupplier isDone) {
    try (Relay relay =
        outledger
            .relay("app")
            .handler(
                "bills",
                framework::transaction,
                outledger.outbox().boundTo(framework),
                h -> h.on(Placed.class, handler))
            .options(o -> o.retry(RetryPolicy.DEFAULT.withBackoff(AT_ONCE)))
            .build()) {
      Await.until(
          () -> "the framework has ended " + framework.ended,
          PATIENCE,
          () -> {
            relay.step();
            return isDone.getAsBoolean();
          });
    }
  }

  private List<String> rows(String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      while (found.next()) {
        rows.add(found.getString(1));
      }
    }
    return rows;
  }

  /** Binds a transaction to its thread, as frameworks do. */
  private final class Framework implements Transactions {

    // A framework for each test; its threads end with the test.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Connection> running = new ThreadLocal<>();

    private final List<String> ended = new CopyOnWriteArrayList<>();

    @Override
    public Connection connection() {
      return Objects.requireNonNull(running.get());
    }

    @Override
    public void afterCommit(Runnable action) {} // the next poll finds what was appended

    private FrameworkTransaction transaction() {
      return new FrameworkTransaction() {

        @Override
        public Connection begin() throws SQLException {
          Connection connection = database.connect();
          connection.setAutoCommit(false);
          running.set(connection);
          return connection;
        }

        @Override
        public void commit(Runnable failing) throws SQLException {
          try (Connection connection = connection()) {
            connection.commit();
          }
          running.remove();
          ended.add("commit");
        }

        @Override
        public void rollBack(Throwable failure) {
          try (Connection connection = connection()) {
            connection.rollback();
          } catch (SQLException e) {
            failure.addSuppressed(e);
          }
          running.remove();
          ended.add("roll back");
        }
      };
    }
  }

  /** Payloads are the ids. */
  private static final class Texts implements PayloadSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      return (event instanceof Placed placed ? placed.id() : ((Billed) event).id()).getBytes(UTF_8);
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public <E> E readExactly(byte[] payload, Class<E> type) {
      return read(payload, type, name -> {});
    }

    @Override
    public <E> E read(byte[] payload, Class<E> type, Consumer<String> unknown) {
      String id = new String(payload, UTF_8);
      return type.cast(type == Placed.class ? new Placed(id) : new Billed(id));
    }
  }
}
