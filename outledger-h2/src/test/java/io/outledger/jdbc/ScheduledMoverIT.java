// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.event.Events;
import io.outledger.jdbc.reading.TypeReads;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.time.TimeSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one pass of a mover does between its batches: with its lease, and after a failure. */
class ScheduledMoverIT {

  private static final Delivery DUE = Delivery.at(Instant.parse("2026-01-01T00:00:00Z"));
  private static final int BATCH = 1_000;
  private static final int SEVERAL_BATCHES = 2_500;
  private static final String GIVE_AWAY =
      "UPDATE outledger_mover SET holder = RANDOM_UUID(), lease_until = DATEADD(HOUR, 1,"
          + " CURRENT_TIMESTAMP)";

  private final JdbcDataSource dataSource = new JdbcDataSource();
  private final LaterTime time = new LaterTime();
  private Connection keptOpen; // and the database with it

  @BeforeEach
  void open() throws SQLException {
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID());
    dataSource.setUser("sa");
    keptOpen = dataSource.getConnection();
    Schema.of(dataSource, "PUBLIC").apply(dataSource);
  }

  @AfterEach
  void close() throws SQLException {
    keptOpen.close();
  }

  @Test
  void leaseIsProlongedBetweenBatches() {
    schedule(SEVERAL_BATCHES);
    mover(
            () -> {
              time.pass(Duration.ofSeconds(6));
              execute(
                  "UPDATE outledger_mover SET lease_until = DATEADD(HOUR, -1, CURRENT_TIMESTAMP)");
            })
        .pass();
    assertThat(inLedger()).isEqualTo(SEVERAL_BATCHES);
  }

  @Test
  void anotherMoverThatHasTheLeaseNowGoesOnAlone() {
    schedule(SEVERAL_BATCHES);
    mover(() -> execute(GIVE_AWAY)).pass();
    assertThat(inLedger()).isEqualTo(BATCH);
  }

  @Test
  void batchWhoseLeaseWasLostBeforeItMovesNothing() {
    schedule(1);
    AtomicBoolean isLost = new AtomicBoolean();
    DataSource losing =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  // Its first transaction after that which has taken the lease is the batch.
                  if (count("outledger_mover") == 1 && isLost.compareAndSet(false, true)) {
                    execute(GIVE_AWAY);
                  }
                  return method.invoke(dataSource, arguments);
                });
    new ScheduledMover(database(), losing, time, () -> {}).pass();
    assertThat(isLost).isTrue();
    assertThat(inLedger()).isZero();
  }

  @Test
  void batchesAreLargeAgainAfterTheOneThatIsRefused() {
    schedule(2 * BATCH);
    execute("UPDATE outledger_scheduled SET version = 0 WHERE message_key = 'key-700'");
    AtomicInteger batches = new AtomicInteger();
    mover(batches::incrementAndGet).pass();
    assertThat(inLedger()).isEqualTo(2 * BATCH - 1);
    assertThat(batches).hasValueLessThan(50);
  }

  @Test
  void refusedMessageIsTriedAgainAfterAWhileAndNotAtEachPass() {
    schedule(3);
    execute("UPDATE outledger_scheduled SET version = 0 WHERE message_key = 'key-1'");
    AtomicInteger failures = new AtomicInteger();
    SqlErrors own = database().errors();
    ScheduledMover mover =
        new ScheduledMover(
            with(
                failure -> {
                  failures.incrementAndGet();
                  return own.classOf(failure);
                }),
            dataSource,
            time,
            () -> {});
    mover.pass();
    assertThat(inLedger()).isEqualTo(2);
    int met = failures.get();
    for (int i = 0; i < 5; i++) {
      mover.pass();
    }
    assertThat(failures).hasValue(met);

    time.pass(RefusedMessages.RETRY);
    assertThatThrownBy(mover::pass).isInstanceOf(StoreException.class); // no other one got through
    assertThat(failures).hasValueGreaterThan(met);
    execute("UPDATE outledger_scheduled SET version = 1");
    time.pass(RefusedMessages.RETRY);
    mover.pass();
    assertThat(inLedger()).isEqualTo(3);
  }

  @Test
  void refusedMessageDoesNotFailEachCallThatMoves() {
    schedule(2);
    execute("UPDATE outledger_scheduled SET version = 0 WHERE message_key = 'key-1'");
    try (Outledger outledger = Outledger.builder(dataSource).withoutRetention().build()) {
      outledger.moveScheduled();
      assertThat(inLedger()).isEqualTo(1);
      outledger.moveScheduled();
    }
  }

  /** As SQLite gives the last one's number out again. */
  @Test
  void messageWithTheNumberOfARefusedOneIsTriedAtOnce() {
    schedule(2);
    execute("UPDATE outledger_scheduled SET version = 0 WHERE message_key = 'key-1'");
    ScheduledMover mover = mover(() -> {});
    mover.pass();
    assertThat(inLedger()).isEqualTo(1);
    execute("DELETE FROM outledger_scheduled");
    execute("ALTER TABLE outledger_scheduled ALTER COLUMN number RESTART WITH 2");
    schedule(1);
    mover.pass();
    assertThat(inLedger()).isEqualTo(2);
  }

  @Test
  void messageBeyondALimitOfTheDatabaseHoldsItsKeyAlone() {
    for (ErrorClass like : List.of(ErrorClass.LIMIT_EXCEEDED, ErrorClass.DUPLICATE_KEY)) {
      execute("DELETE FROM outledger_scheduled");
      execute("DELETE FROM outledger_message");
      schedule(10);
      execute("UPDATE outledger_scheduled SET version = 0 WHERE message_key = 'key-4'");
      refusing(like).pass();
      assertThat(inLedger()).as(like.name()).isEqualTo(9);
    }
  }

  @Test
  void oneThatTheLedgerTakesIsFoundBehindAnyNumberThatItRefuses() {
    schedule(3 * BATCH);
    execute("UPDATE outledger_scheduled SET version = 0 WHERE message_key <> 'key-2999'");
    mover(() -> {}).pass();
    assertThat(inLedger()).isEqualTo(1);
  }

  @Test
  void oneThatTheLedgerTakesIsFoundAmongManyThatItRefuses() {
    schedule(500);
    execute("UPDATE outledger_scheduled SET version = 0 WHERE message_key <> 'key-321'");
    pass(mover(() -> {}), 300, 1);
    assertThat(inLedger()).isEqualTo(1);
  }

  @Test
  void messageThatTheDatabaseNeverRefusesOutrightHoldsItsKeyAlone() {
    schedule(10);
    execute("UPDATE outledger_scheduled SET version = 0 WHERE message_key = 'key-4'");
    ScheduledMover mover = refusing(ErrorClass.STATEMENT_TIMEOUT);
    assertThatThrownBy(mover::pass).isInstanceOf(StoreException.class); // it may pass by itself
    assertThat(inLedger()).isZero();
    pass(mover, 10, 9);
    assertThat(inLedger()).isEqualTo(9);
  }

  @Test
  void messageOfARefusedKeyThatIsDueBeforeDoesNotWaitForIt() {
    schedule(3);
    execute("UPDATE outledger_scheduled SET version = 0 WHERE message_key = 'key-1'");
    ScheduledMover mover = mover(() -> {});
    mover.pass();
    assertThat(inLedger()).isEqualTo(2);
    schedule(3);
    execute(
        "UPDATE outledger_scheduled SET due_at = DATEADD('HOUR', -1, due_at) WHERE number = (SELECT"
            + " MAX(number) FROM outledger_scheduled WHERE message_key = 'key-1')");
    mover.pass();
    assertThat(inLedger()).isEqualTo(5);
  }

  @Test
  void messageThatMovesWhileTypesAreListedIsAmongThem() {
    AtomicInteger statements = new AtomicInteger();
    int last = 1;
    for (int before = 1; before <= last; before++) {
      int movedBefore = before;
      execute("DELETE FROM outledger_message");
      schedule(1);
      statements.set(0);
      Runnable move =
          () -> {
            if (statements.incrementAndGet() == movedBefore) {
              mover(() -> {}).pass();
            }
          };
      TypeReads types = new TypeReads(database().adminReads(before(move)));
      assertThat(types.stored(Events.builder().build(), List.of()).all())
          .as("moved before statement %s", before)
          .hasSize(1);
      assertThat(inLedger()).isEqualTo(1);
      last = statements.get();
    }
    assertThat(last).isGreaterThan(3);
  }

  /** Returns the data source, with something that is done before each statement. */
  private DataSource before(Runnable statement) {
    return proxy(
        DataSource.class,
        dataSource,
        (name, result) ->
            result instanceof Connection connection
                ? proxy(
                    Connection.class,
                    connection,
                    (called, any) -> {
                      if (called.equals("prepareStatement")) {
                        statement.run();
                      }
                      return any;
                    })
                : result);
  }

  private static <T> T proxy(Class<T> type, T of, BiFunction<String, Object, Object> result) {
    return type.cast(
        Proxy.newProxyInstance(
            ScheduledMoverIT.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return result.apply(method.getName(), method.invoke(of, arguments));
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            }));
  }

  /** Returns the database with other classes of errors. */
  private Database with(SqlErrors errors) {
    return proxy(
        Database.class, database(), (name, result) -> name.equals("errors") ? errors : result);
  }

  private ScheduledMover refusing(ErrorClass like) {
    SqlErrors own = database().errors();
    SqlErrors errors =
        failure -> {
          ErrorClass found = own.classOf(failure);
          return found == ErrorClass.REFUSED ? like : found;
        };
    return new ScheduledMover(with(errors), dataSource, time, () -> {});
  }

  private Database database() {
    return Databases.find(dataSource, null);
  }

  private ScheduledMover mover(Runnable moved) {
    return new ScheduledMover(database(), dataSource, time, moved);
  }

  /** Has it pass until so many messages are in the ledger, or that often. */
  private void pass(ScheduledMover mover, int passes, long wanted) {
    for (int i = 0; i < passes && inLedger() < wanted; i++) {
      try {
        mover.pass();
      } catch (StoreException e) {
        time.pass(ScheduledMover.LOOK);
      }
    }
  }

  private void schedule(int messages) {
    try (Outledger outledger = Outledger.builder(dataSource).withoutRetention().build()) {
      outledger
          .transactions()
          .run(
              connection -> {
                for (int i = 0; i < messages; i++) {
                  Message message = Message.to("orders", "order.placed").key("key-" + i).build();
                  outledger.outbox().append(connection, message, DUE);
                }
              });
    }
  }

  private long inLedger() {
    return count("outledger_message");
  }

  private long count(String table) {
    try (Statement statement = keptOpen.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void execute(String sql) {
    try (Statement statement = keptOpen.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The system's clock, of which time passes more quickly where that is told. */
  private static final class LaterTime implements TimeSource {

    private final TimeSource system = TimeSource.system();
    private long passed;

    void pass(Duration time) {
      passed += time.toNanos();
    }

    @Override
    public Instant now() {
      return system.now().plusNanos(passed);
    }

    @Override
    public long nanoTime() {
      return system.nanoTime() + passed;
    }
  }
}
