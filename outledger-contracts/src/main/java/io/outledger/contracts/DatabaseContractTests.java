// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.frontier.Positions;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RetentionStore;
import io.outledger.jdbc.spi.SqlValues;
import io.outledger.relay.RunningRelay;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fixture for each test of a database, and the sentences in which the tests are told. */
abstract class DatabaseContractTests {

  static final String SUBSCRIPTION = "contract";
  static final Duration LONG = Duration.ofMinutes(10);
  static final Duration AT_ONCE = Duration.ZERO;

  /** How long anything may take that has to happen, on the slowest machine. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Duration LOOK = Duration.ofMillis(20);

  private final List<RelayStore> stores = new ArrayList<>();
  private DatabaseFixture fixture;
  private @Nullable Outledger outledger;

  abstract DatabaseFixture openFixture();

  @BeforeEach
  final void open() {
    fixture = openFixture();
    if (!(this instanceof SchemaContractTests)) {
      database().schema().apply(dataSource());
    }
  }

  @AfterEach
  final void close() throws Exception {
    for (RelayStore store : stores) {
      store.close();
    }
    if (outledger != null) {
      outledger.close();
    }
    fixture.close();
  }

  final DatabaseFixture fixture() {
    return fixture;
  }

  final Database database() {
    return fixture.database();
  }

  final RetentionStore retention() {
    return database().retention(dataSource(), Retention.BATCH_DEFAULT);
  }

  final DataSource dataSource() {
    return fixture.dataSource();
  }

  /**
   * Returns a process that runs no relay and no receiver. What it does for a while, such as the
   * steps of a request, it does a number of times, however slow the machine is.
   */
  final Outledger process() {
    Outledger process = outledger;
    if (process == null) {
      TimeSource time = CountedTime.of(Duration.ofMillis(10));
      process = Outledger.builder(dataSource()).withoutRetention().time(time).build();
      outledger = process;
    }
    return process;
  }

  /** Returns what a subscription or a consumer has parked, in order. */
  final List<Parked> parkedOf(Reader owner) {
    return process().admin().parked(ParkedQuery.of(owner)).rows();
  }

  /** Work to be done in a transaction. */
  interface Work {
    void on(Connection transaction) throws SQLException;
  }

  /** Runs work in a transaction, and commits it where the work returns. */
  final void inTransaction(Work work) {
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      work.on(connection);
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What is read in a transaction. */
  interface Reading<T> {
    T on(Connection transaction) throws SQLException;
  }

  /** Returns what work has come to, in a transaction that commits where the work returns. */
  final <T> T inTransactionOf(Reading<T> work) {
    List<T> result = new ArrayList<>();
    inTransaction(transaction -> result.add(work.on(transaction)));
    return result.get(0);
  }

  /** Runs one statement in a transaction of its own. */
  final void execute(String sql) {
    inTransaction(
        transaction -> {
          try (Statement statement = transaction.createStatement()) {
            statement.execute(sql);
          }
        });
  }

  /** Appends messages of these keys in one transaction. */
  final void append(String... keys) {
    append(Stream.of(keys).map(StoreContractTests::message).toList());
  }

  final void append(List<Message> messages) {
    inTransaction(transaction -> database().appender().append(transaction, messages));
  }

  /** Returns all messages that the ledger shows, in order of position. */
  final List<Message> messages() {
    return read(open("reader", Start.EARLIEST)).messages().stream()
        .map(LedgerMessage::message)
        .toList();
  }

  final RelayStore open(String subscription, Start start) {
    RelayStore store =
        database()
            .relayStore(
                dataSource(),
                new RelaySubscription(
                    new CursorKey(subscription, 0), start, Duration.ofMinutes(1)));
    stores.add(store);
    return store;
  }

  final Owner owner() {
    return owner(SUBSCRIPTION);
  }

  final Owner owner(String subscription) {
    return Owner.of(open(subscription, Start.EARLIEST), LONG);
  }

  private static Page read(RelayStore store) {
    store.look();
    return store.poll(new PollRequest(0, 10_000, 100_000_000, Positions.NONE));
  }

  /** Reads what an owner has not settled, and returns the positions. */
  static List<Long> read(Owner owner) {
    return StoreContractTests.positions(
        owner
            .store()
            .poll(StoreContractTests.above(owner.frontier().high(), owner.frontier().open())));
  }

  /** Reads all that there is. */
  static List<LedgerMessage> messagesOf(Owner owner) {
    return owner.store().poll(StoreContractTests.above(0)).messages();
  }

  /** Reads all that there is and settles it. */
  static void settle(Owner owner) {
    Page page = owner.store().poll(StoreContractTests.above(owner.frontier().high()));
    long[] all = page.messages().stream().mapToLong(LedgerMessage::position).toArray();
    owner.save(owner.frontier().readTo(page.readTo()).settle(Positions.of(all)));
  }

  /** Runs a relay until something holds of what it has published, and returns that. */
  final List<Message> relayUntil(Predicate<List<Message>> holds) {
    return relayUntil(SUBSCRIPTION, holds);
  }

  final List<Message> relayUntil(String subscription, Predicate<List<Message>> holds) {
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger relaying = Outledger.builder(dataSource()).withoutRetention().build();
        RunningRelay relay = relaying.relay(subscription).to(publisher).start()) {
      until(relay, () -> holds.test(publisher.messages()));
    }
    return publisher.messages();
  }

  /** Waits until a relay has brought something about. */
  final void until(RunningRelay relay, BooleanSupplier holds) {
    until(() -> "what the relay has to do, which is " + relay.state(), holds);
  }

  /** Waits until something holds that has to come. */
  final void until(String what, BooleanSupplier holds) {
    until(() -> what, holds);
  }

  final void until(Supplier<String> what, BooleanSupplier holds) {
    long from = TimeSource.system().nanoTime();
    while (!holds.getAsBoolean()) {
      assertThat(secondsSince(from)).as(what).isLessThan((double) PATIENCE.toSeconds());
      fixture.letPass(LOOK);
    }
  }

  /** Returns the seconds since a time of {@link TimeSource#nanoTime()}. */
  static double secondsSince(long from) {
    return (TimeSource.system().nanoTime() - from) / 1e9;
  }

  /** Returns how many a rate allows since a time, with the second by which it may be ahead. */
  static long atMost(int perSecond, long from) {
    return (long) (perSecond * (secondsSince(from) + 1));
  }

  /** Has a transactional handler of a subscription remember a message. */
  final void remember(String subscription, LedgerMessage message) {
    remember(subscription + "/mail", subscription, message);
  }

  final void remember(String consumer, String subscription, LedgerMessage message) {
    InboxId id = Received.ofLedger(subscription, message.position(), message.message()).inboxId();
    inTransaction(transaction -> database().inbox().insert(transaction, consumer, Set.of(id)));
  }

  /** Asks once more, a moment later. */
  final RequestStatus later(Request request) {
    fixture().letPass(Duration.ofSeconds(1));
    return process().requests().ask(request);
  }

  /** Makes it look as if a message had been appended so long ago. */
  final void appended(long position, Duration ago) {
    SqlValues values = database().adminReads(dataSource()).values();
    inTransaction(
        transaction -> {
          try (PreparedStatement statement =
              transaction.prepareStatement(
                  "UPDATE outledger_message SET appended_at = ? WHERE position = ?")) {
            values.bind(statement, TimeSource.system().now().minus(ago), position);
            assertThat(statement.executeUpdate()).isEqualTo(1);
          }
        });
  }

  final long count(String sql, Object... values) {
    try (Connection connection = dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(database().adminReads(dataSource()).in(sql))) {
      database().adminReads(dataSource()).values().bind(statement, values);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static void assertCode(ErrorCode code, Runnable call) {
    assertThatExceptionOfType(OutledgerException.class)
        .isThrownBy(call::run)
        .matches(e -> e.code() == code, code.code());
  }
}
