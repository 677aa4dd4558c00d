// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.servers.RoundTrips;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that ends the transaction which remembers its message: nothing is lost, and it is told. */
final class EndedTransactionIT {

  private static final TestDatabase DATABASE = TestDatabase.create();

  private PoolOfOne pool;
  private Outledger outledger;
  private JdbcInbox inbox;

  static {
    DATABASE.execute("CREATE TABLE effect (id text)");
  }

  /** A way to end a transaction. */
  interface Way {
    void end(Connection connection) throws SQLException;
  }

  @BeforeEach
  void open() throws SQLException {
    DATABASE.execute("TRUNCATE outledger_inbox, effect, outledger_message");
    pool = new PoolOfOne(DATABASE.dataSource());
    outledger = Outledger.builder(pool).build();
    inbox = outledger.inbox("inventory");
  }

  @AfterEach
  void nothingLeaked() throws SQLException {
    // A prepared transaction that a test leaves behind would hold up all that follow.
    DATABASE
        .query(
            "SELECT format('ROLLBACK PREPARED %L', gid) FROM pg_prepared_xacts"
                + " WHERE database = current_database()")
        .forEach(DATABASE::execute);
    assertThat(pool.isLent()).isFalse();
    outledger.close();
    pool.close();
    assertThat(idleInTransaction()).isEmpty();
  }

  private static List<String> idleInTransaction() {
    return DATABASE.query(
        "SELECT query FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"
            + " AND datname = current_database()");
  }

  private static Received received(String id) {
    return new Received("orders", id, "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
  }

  private static final List<Received> BATCH =
      List.of(received("a"), received("bad"), received("b"), received("c"));

  private static void effect(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> effects() {
    return DATABASE.query("SELECT id FROM effect ORDER BY id");
  }

  private static List<String> remembered() {
    return InboxSql.remembered(
        DATABASE, "inventory", BATCH.stream().map(Received::inboxId).toList());
  }

  static Stream<Way> waysThatUndo() {
    return Stream.of(
        connection -> execute(connection, "ROLLBACK"),
        connection -> execute(connection, ";ROLLBACK;BEGIN"),
        connection -> execute(connection, "ABORT AND CHAIN"),
        connection -> execute(connection, "/* COMMIT */ rollback; SELECT 1"),
        connection -> driversOwn(connection).rollback(),
        Connection::rollback,
        EndedTransactionIT::rollbackUnseen,
        Connection::close,
        connection -> connection.setAutoCommit(true),
        connection -> connection.setReadOnly(true),
        connection -> connection.abort(Runnable::run),
        connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE),
        connection -> connection.createStatement().getConnection().commit(),
        connection -> connection.prepareStatement("SELECT 1").getConnection().commit(),
        connection -> connection.getMetaData().getConnection().commit(),
        Connection::commit);
  }

  static Stream<Way> waysThatCommit() {
    return Stream.of(
        connection -> execute(connection, "COMMIT"),
        connection -> execute(connection, "COMMIT; BEGIN"),
        connection -> execute(connection, "END AND CHAIN"),
        connection -> driversOwn(connection).commit());
  }

  /** As a framework may find it; the guard does not follow it there. */
  private static Connection driversOwn(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT 1")) {
      return rows.getStatement().getConnection();
    }
  }

  private static void rollbackUnseen(Connection connection) throws SQLException {
    try {
      connection.rollback();
    } catch (OutledgerException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_NOT_YOURS);
    }
  }

  /** The effect of the bad message is in two halves, before and after what it must not do. */
  private BatchHandler handler(Way badWay) {
    return inbox.handler(
        (connection, message) -> {
          effect(connection, message.id() + " begun");
          if (message.id().equals("bad")) {
            badWay.end(connection);
          }
          effect(connection, message.id());
        });
  }

  @ParameterizedTest
  @MethodSource("waysThatUndo")
  void handlerLosesNothingWhereTheWorkUndoesItsTransaction(Way way) throws Exception {
    assertFailsAtTheBadOne(way);
    assertThat(effects()).containsExactly("a", "a begun");
    assertThat(remembered()).containsExactly("a");
    handler(connection -> {}).handle(BATCH);
    assertThat(effects())
        .containsExactly("a", "a begun", "b", "b begun", "bad", "bad begun", "c", "c begun");
  }

  @ParameterizedTest
  @MethodSource("waysThatCommit")
  void handlerDoesAgainWhatTheWorkHadCommittedInPart(Way way) throws Exception {
    assertFailsAtTheBadOne(way);
    assertThat(effects()).contains("a", "bad begun").doesNotContain("bad", "b", "c");
    assertThat(remembered()).containsExactly("a");
    handler(connection -> {}).handle(BATCH);
    assertThat(effects()).contains("a", "b", "bad", "c");
    assertThat(remembered()).containsExactly("a", "b", "bad", "c");
  }

  @Test
  void workThatCommitsAndThenFailsIsDoneAgain() throws Exception {
    Way commitsAndFails =
        connection -> {
          execute(connection, "COMMIT");
          throw new IllegalStateException("after that");
        };
    assertThatThrownBy(() -> handler(commitsAndFails).handle(BATCH.subList(1, 2)))
        .isInstanceOf(ReceiveFailedException.class)
        .hasRootCauseMessage("after that");
    handler(connection -> {}).handle(BATCH);
    assertThat(effects()).contains("bad", "a", "b", "c");
  }

  @Test
  void connectionThatCameWithoutAutoCommitGoesBackWithoutATransaction() throws Exception {
    try (Connection only = DATABASE.begin();
        Outledger over = Outledger.builder(new OneConnection(only)).build()) {
      BatchHandler failing =
          over.inbox("inventory")
              .handler(
                  (connection, message) -> {
                    effect(connection, message.id());
                    throw new IllegalStateException("after that");
                  });
      assertThatThrownBy(() -> failing.handle(BATCH.subList(0, 1)))
          .hasRootCauseMessage("after that");
      assertThat(idleInTransaction()).isEmpty();
      assertThat(effects()).isEmpty();
    }
  }

  private void assertFailsAtTheBadOne(Way way) {
    assertThatThrownBy(() -> handler(way).handle(BATCH))
        .isInstanceOfSatisfying(
            ReceiveFailedException.class,
            e -> {
              assertThat(e.done()).isEqualTo(1);
              assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_NOT_YOURS);
            });
  }

  @Test
  void savepointsOfTheWorkAreItsOwn() throws Exception {
    Way undoesAPart =
        connection -> {
          Savepoint before = connection.setSavepoint();
          effect(connection, "undone");
          connection.rollback(before);
          execute(connection, "SAVEPOINT mine");
          effect(connection, "undone too");
          execute(connection, "ROLLBACK TO SAVEPOINT mine");
        };
    handler(undoesAPart).handle(BATCH.subList(1, 2));
    assertThat(effects()).containsExactly("bad", "bad begun");
    assertThat(remembered()).containsExactly("bad");
  }

  @Test
  void statementThatFailedBehindACaughtExceptionLosesNothing() {
    Way fails =
        connection ->
            assertThatThrownBy(() -> execute(connection, "SELECT 1 / 0"))
                .isInstanceOf(SQLException.class);
    BatchHandler swallows =
        inbox.handler(
            (connection, message) -> {
              effect(connection, message.id());
              fails.end(connection);
            });
    assertThatThrownBy(() -> swallows.handle(BATCH.subList(0, 1)))
        .isInstanceOfSatisfying(
            ReceiveFailedException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED));
    assertThat(effects()).isEmpty();
    assertThat(remembered()).isEmpty();
  }

  @Test
  void severalMessagesOfOneTransactionAreOfThatTransaction() {
    assertThatThrownBy(
            () ->
                outledger
                    .transactions()
                    .run(
                        connection -> {
                          inbox.process(connection, received("a"), () -> {});
                          execute(connection, "ROLLBACK");
                          inbox.process(connection, received("b"), () -> {});
                        }))
        .isInstanceOf(OutledgerException.class)
        .hasMessageStartingWith("OUT-030");
    assertThat(remembered()).isEmpty();
  }

  @Test
  void connectionIsOfNoUseAfterItsTransaction() throws Exception {
    Connection[] kept = new Connection[1];
    outledger.transactions().run(connection -> kept[0] = connection);
    assertThatThrownBy(() -> kept[0].createStatement())
        .isInstanceOf(OutledgerException.class)
        .hasMessageStartingWith("OUT-001");
    assertThat(kept[0].isWrapperFor(Connection.class)).isTrue();
    assertThat(kept[0].isWrapperFor(org.postgresql.PGConnection.class)).isFalse();
    assertThatThrownBy(() -> kept[0].unwrap(org.postgresql.PGConnection.class))
        .hasMessageStartingWith("OUT-030");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void theProofCostsNoRoundTrip(int messages) throws Exception {
    try (RoundTrips line = new RoundTrips(Postgres.shared().port());
        PoolOfOne near = new PoolOfOne(DATABASE.dataSource(line.port()));
        Outledger far = Outledger.builder(near).build()) {
      BatchHandler handler = far.inbox("inventory").handler((connection, message) -> {});
      handler.handle(List.of(received("first"))); // its connection is opened
      for (int i = 0; i < 20; i++) {
        String prefix = i + "-";
        line.take();
        handler.handle(
            BATCH.subList(0, messages).stream().map(m -> received(prefix + m.id())).toList());
        // The insert, with the transaction's begin; and the commit.
        assertThat(line.take()).as("round trips of batch %d", i).isEqualTo(2);
      }
    }
  }

  @Test
  void preparedTransactionDoesNotHoldUpTheNextDeliveryAndAnothersStays() throws Exception {
    DATABASE.execute("BEGIN; INSERT INTO effect VALUES ('other'); PREPARE TRANSACTION 'other'");
    Way prepares = connection -> execute(connection, "PREPARE TRANSACTION 'it''s of the work'");
    List<Received> bad = BATCH.subList(1, 2);
    assertThatThrownBy(() -> handler(prepares).handle(bad))
        .isInstanceOfSatisfying(
            ReceiveFailedException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_NOT_YOURS));
    assertThat(remembered()).isEmpty();
    assertThat(DATABASE.query("SELECT gid FROM pg_prepared_xacts")).containsExactly("other");
    handler(connection -> {}).handle(bad);
    assertThat(effects()).containsExactly("bad", "bad begun");
  }

  @Test
  void handlersMessageIsParkedWithTheCode() {
    try (Outledger apart = Outledger.builder(DATABASE.dataSource()).build();
        Relay relay =
            apart
                .relay("app")
                .handler("bad", (connection, message) -> execute(connection, "ROLLBACK; BEGIN"))
                .build()) {
      apart.outbox().inNewTransaction(Message.to("orders", "placed").build());
      Await.until(
          "it is parked",
          Duration.ofSeconds(30),
          () -> {
            relay.step();
            return DATABASE.count("outledger_parked") == 1;
          });
    }
    assertThat(DATABASE.query("SELECT error FROM outledger_parked").get(0)).contains("OUT-030");
    assertThat(remembered()).isEmpty();
  }
}
