// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.servers.RoundTrips;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InboxIT {

  private static final TestDatabase DATABASE = TestDatabase.create();

  private final Outledger outledger = Outledger.builder(DATABASE.dataSource()).build();
  private final JdbcInbox inbox = outledger.inbox("inventory");
  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  static {
    DATABASE.execute("CREATE TABLE effect (id text)");
  }

  @BeforeEach
  void empty() {
    DATABASE.execute("TRUNCATE outledger_inbox, effect, outledger_message");
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static Received received(String id) {
    return new Received("orders", id, "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
  }

  private static List<Received> received(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> received("m" + i)).toList();
  }

  private static void effect(Connection connection, Received message) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      insert.setString(1, message.id());
      insert.executeUpdate();
    }
  }

  private InboxOutcome process(Connection connection, Received message) throws SQLException {
    return inbox.process(connection, message, () -> effect(connection, message));
  }

  private static List<String> effects() {
    return DATABASE.query("SELECT id FROM effect ORDER BY id");
  }

  @Test
  void duplicateMessageIsHandledOnce() throws SQLException {
    try (Connection connection = DATABASE.begin()) {
      assertThat(process(connection, received("a"))).isEqualTo(InboxOutcome.PROCESSED);
      assertThat(process(connection, received("a"))).isEqualTo(InboxOutcome.DUPLICATE);
      connection.commit();
      assertThat(process(connection, received("a"))).isEqualTo(InboxOutcome.DUPLICATE);
      connection.rollback();
    }
    assertThat(effects()).containsExactly("a");
  }

  @Test
  void sourcesAndConsumersAreApart() throws SQLException {
    Received other =
        new Received("payments", "a", "x", "k", "t", 1, new byte[0], Map.of(), null, "", "");
    try (Connection connection = DATABASE.begin()) {
      process(connection, received("a"));
      assertThat(process(connection, other)).isEqualTo(InboxOutcome.PROCESSED);
      assertThat(outledger.inbox("mail").process(connection, received("a"), () -> {}))
          .isEqualTo(InboxOutcome.PROCESSED);
    }
  }

  @Test
  void whatTheWorkAppendsBelongsToTheTransaction() throws SQLException {
    try (Connection connection = DATABASE.begin()) {
      inbox.process(
          connection,
          received("a"),
          () -> outledger.outbox().append(connection, Message.to("stock", "reserved").build()));
      connection.rollback();
      assertThat(DATABASE.count("outledger_message")).isZero();
    }
  }

  @Test
  void autoCommitIsRefusedAndTheWorkDoesNotRun() throws SQLException {
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      assertThatThrownBy(() -> process(connection, received("a")))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("OUT-001");
    }
    assertThat(effects()).isEmpty();
    assertThat(DATABASE.count("outledger_inbox")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"שלום", "👩‍👩‍👧‍👦", "NULL", "{\"a\",b}", "\\", "' OR 1=1 --"})
  void anyIdIsRemembered(String id) throws SQLException {
    try (Connection connection = DATABASE.begin()) {
      assertThat(process(connection, received(id))).isEqualTo(InboxOutcome.PROCESSED);
      assertThat(process(connection, received(id))).isEqualTo(InboxOutcome.DUPLICATE);
    }
  }

  @Test
  void theLongestIdentityFitsIntoTheIndex() throws SQLException {
    // Characters of three bytes that do not compress well.
    StringBuilder text = new StringBuilder();
    new java.util.Random(1).ints(500, 0x4e00, 0x9fff).forEach(text::appendCodePoint);
    String id = text.toString();
    String origin = "o".repeat(Received.ORIGIN_CHARS_MAX);
    String source = id.substring(0, 200);
    Received longest =
        new Received(source, id, "t", null, "t", 1, new byte[0], Map.of(), null, origin, "");
    try (Connection connection = DATABASE.begin()) {
      JdbcInbox longName = outledger.inbox(id.substring(300, 400));
      assertThat(longName.process(connection, longest, () -> {})).isEqualTo(InboxOutcome.PROCESSED);
    }
  }

  @Test
  void aBatchTellsTheNewOnesFromTheOthersInItsOrder() throws SQLException {
    List<Received> batch = new ArrayList<>(received(0, 500));
    Collections.shuffle(batch, new java.util.Random(7));
    List<Received> withDuplicates = new ArrayList<>(batch);
    withDuplicates.addAll(batch.subList(0, 100));
    try (Connection connection = DATABASE.begin()) {
      inbox.processAll(connection, received(0, 10), fresh -> {});
      List<Received> ran = new ArrayList<>();
      List<InboxOutcome> outcomes = inbox.processAll(connection, withDuplicates, ran::addAll);
      connection.commit();
      assertThat(ran).hasSize(490).isSubsetOf(batch).doesNotHaveDuplicates();
      assertThat(ran).containsSubsequence(batch.stream().filter(ran::contains).toList());
      assertThat(outcomes).hasSize(600);
      for (int i = 0; i < 600; i++) {
        boolean isNew = i < 500 && ran.contains(withDuplicates.get(i));
        assertThat(outcomes.get(i))
            .isEqualTo(isNew ? InboxOutcome.PROCESSED : InboxOutcome.DUPLICATE);
      }
    }
    assertThat(DATABASE.count("outledger_inbox")).isEqualTo(500);
  }

  @Test
  void aBatchIsOneRoundTrip() throws Exception {
    try (RoundTrips line = new RoundTrips(Postgres.shared().port());
        Connection connection = DATABASE.dataSource(line.port()).getConnection()) {
      connection.setAutoCommit(false);
      inbox.processAll(connection, received(0, 1), fresh -> {}); // tells the consumer's name
      connection.commit();
      inbox.processAll(connection, received(1, 2), fresh -> {}); // and sees that it is told
      for (int i = 0; i < 20; i++) {
        line.take();
        inbox.processAll(connection, received(i * 300, i * 300 + 500), fresh -> {});
        assertThat(line.take()).as("round trips of batch %d", i).isEqualTo(1);
      }
    }
  }

  @Test
  void twoBatchesWithTheSameIdsInOtherOrdersDoNotDeadlock() throws Exception {
    for (int round = 0; round < 30; round++) {
      List<Received> one = new ArrayList<>(received(round * 200, round * 200 + 200));
      List<Received> two = new ArrayList<>(one);
      Collections.shuffle(one, new java.util.Random(round));
      Collections.shuffle(two, new java.util.Random(-round - 1));
      inParallel(() -> receive(one), () -> receive(two));
    }
    assertThat(DATABASE.count("effect")).isEqualTo(30 * 200);
  }

  private boolean receive(List<Received> batch) throws Exception {
    inbox.handler(InboxIT::effect).handle(batch);
    return true;
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void anIdThatIsRacedFromTwoSidesTakesEffectOnce(int isolation) throws Exception {
    int races = 1_000;
    CyclicBarrier start = new CyclicBarrier(2);
    Callable<Integer> side = () -> race(races, isolation, start);
    int processed = inParallel(side, side);
    assertThat(processed).isEqualTo(races);
    assertThat(effects()).hasSize(races).doesNotHaveDuplicates();
  }

  /** Takes each id once the other side is there too, and receives again what asks for it. */
  private int race(int races, int isolation, CyclicBarrier start) throws Exception {
    int processed = 0;
    try (Connection connection = DATABASE.begin()) {
      connection.setTransactionIsolation(isolation);
      for (int i = 0; i < races; i++) {
        start.await(30, TimeUnit.SECONDS);
        if (untilDone(connection, received("m" + i), i % 5 == 0) == InboxOutcome.PROCESSED) {
          processed++;
        }
      }
    }
    return processed;
  }

  private InboxOutcome untilDone(Connection connection, Received message, boolean rollBackFirst)
      throws SQLException {
    boolean rollBack = rollBackFirst;
    while (true) {
      try {
        InboxOutcome outcome = process(connection, message);
        if (rollBack) {
          rollBack = false;
          connection.rollback();
          continue;
        }
        connection.commit();
        return outcome;
      } catch (StoreException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED);
        assertThat(e).hasMessageContaining("40001").hasMessageContaining("try the whole");
        connection.rollback();
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isEqualTo("40001");
        connection.rollback();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theSecondWaitsForTheFirstAndRunsOnlyWhereTheFirstRolledBack(boolean firstCommits)
      throws Exception {
    try (Connection first = DATABASE.begin();
        Connection second = DATABASE.begin()) {
      process(first, received("a"));
      Future<InboxOutcome> waiting = threads.submit(() -> process(second, received("a")));
      Await.until(
          "the second waits for a lock",
          Duration.ofSeconds(10),
          () ->
              !DATABASE
                  .query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'transactionid'")
                  .isEmpty());
      assertThat(waiting.isDone()).isFalse();
      if (firstCommits) {
        first.commit();
      } else {
        first.rollback();
      }
      assertThat(waiting.get(10, TimeUnit.SECONDS))
          .isEqualTo(firstCommits ? InboxOutcome.DUPLICATE : InboxOutcome.PROCESSED);
      second.commit();
    }
    assertThat(effects()).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
  void whatCommittedAfterTheSnapshotAsksToTryAgain(String isolation) throws SQLException {
    try (Connection old = DATABASE.begin();
        Statement statement = old.createStatement();
        Connection other = DATABASE.begin()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL " + isolation);
      statement.execute("SELECT 1 FROM effect");
      process(other, received("a"));
      other.commit();
      assertThatThrownBy(() -> process(old, received("a")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("retry the whole transaction")
          .hasMessageContaining("40001");
      old.rollback();
      assertThat(process(old, received("a"))).isEqualTo(InboxOutcome.DUPLICATE);
    }
    assertThat(effects()).containsExactly("a");
  }

  @Test
  void aHandlerMakesABatchTakeEffectAndOnlyOnce() throws Exception {
    receive(received(0, 300));
    receive(received(200, 400));
    assertThat(effects()).hasSize(400).doesNotHaveDuplicates();
  }

  @Test
  void theGoodOnesBeforeTheBadOneTakeEffectAndTheHandlerSaysHowMany() {
    List<Received> batch = received(0, 10);
    assertThatThrownBy(
            () ->
                inbox
                    .handler(
                        (connection, message) -> {
                          effect(connection, message);
                          if (message.id().equals("m4")) {
                            throw new IllegalArgumentException("no");
                          }
                        })
                    .handle(batch))
        .isInstanceOfSatisfying(
            ReceiveFailedException.class,
            e -> {
              assertThat(e.done()).isEqualTo(4);
              assertThat(e.code()).isEqualTo(ErrorCode.MESSAGE_REJECTED);
              assertThat(e).hasCauseInstanceOf(IllegalArgumentException.class);
            });
    assertThat(effects()).containsExactly("m0", "m1", "m2", "m3");
    assertThat(DATABASE.count("outledger_inbox")).isEqualTo(4);
  }

  @Test
  void aStatementThatFailsInTheWorkDoesNotPoisonTheOthers() {
    assertThatThrownBy(
            () ->
                inbox
                    .handler(
                        (connection, message) -> {
                          effect(connection, message);
                          if (message.id().equals("m2")) {
                            try (Statement statement = connection.createStatement()) {
                              statement.execute("SELECT 1 / 0");
                            }
                          }
                        })
                    .handle(received(0, 5)))
        .isInstanceOfSatisfying(
            ReceiveFailedException.class, e -> assertThat(e.done()).isEqualTo(2));
    assertThat(effects()).containsExactly("m0", "m1");
  }

  @Test
  void anInterruptedWorkIsNotTriedOneByOne() {
    List<String> ran = new ArrayList<>();
    assertThatThrownBy(
            () ->
                inbox
                    .handler(
                        (connection, message) -> {
                          ran.add(message.id());
                          throw new InterruptedException("stop");
                        })
                    .handle(received(0, 5)))
        .isInstanceOf(InterruptedException.class);
    assertThat(ran).containsExactly("m0");
    assertThat(DATABASE.count("outledger_inbox")).isZero();
  }

  private <T> int inParallel(Callable<T> one, Callable<T> two) throws Exception {
    Future<T> first = threads.submit(one);
    Future<T> second = threads.submit(two);
    int sum = 0;
    for (T result : List.of(first.get(60, TimeUnit.SECONDS), second.get(60, TimeUnit.SECONDS))) {
      sum += result instanceof Integer number ? number : 0;
    }
    return sum;
  }
}
