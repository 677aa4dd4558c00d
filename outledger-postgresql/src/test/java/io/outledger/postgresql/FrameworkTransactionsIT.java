// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.Received;
import io.outledger.jdbc.FrameworkTransaction;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What counts against a message that is handled in a framework's transaction, and what does not.
 */
class FrameworkTransactionsIT {

  private final TestDatabase database = TestDatabase.create();
  private final Outledger outledger = Outledger.builder(database.dataSource()).build();

  @AfterEach
  void close() {
    outledger.close();
  }

  /** Fail-overs that a message meets weeks apart, and other failures in between. */
  @Test
  void outagesBetweenOtherFailuresAreNotInARow() {
    JdbcInbox inbox = outledger.inbox("stock");
    for (int outage = 0; outage < 7; outage++) {
      assertThat(outageOf(inbox)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThatThrownBy(
              () ->
                  inbox.processIn(
                      new OwnTransaction(), harmed(), FrameworkTransactionsIT::failOtherwise))
          .hasMessage("another failure");
    }
  }

  @Test
  void outagesBetweenCommitsThatFailOtherwiseAreNotInARow() {
    JdbcInbox inbox = outledger.inbox("stock");
    for (int outage = 0; outage < 7; outage++) {
      assertThat(outageOf(inbox)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      OwnTransaction transaction = new OwnTransaction();
      assertThatThrownBy(
              () ->
                  inbox.processIn(
                      transaction, harmed(), () -> breaksWhenItCommits(transaction.connection())))
          .hasMessageContaining("twice_unique");
    }
  }

  private static void breaksWhenItCommits(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TEMPORARY TABLE twice (id int CONSTRAINT twice_unique UNIQUE"
              + " DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP");
      statement.execute("INSERT INTO twice VALUES (1), (1)");
    }
  }

  /** An outage that begins during a message's work, as far as that message's attempts can tell. */
  @Test
  void insertThatFailsWhileTheDatabaseAnswersNobodyIsAnOutageHoweverOften() {
    MayBeAway known = database.configured(new MayBeAway(), Postgres.shared().port());
    try (Outledger own = Outledger.builder(known).build()) {
      JdbcInbox inbox = own.inbox("stock");
      assertThat(outageOf(inbox)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      known.isAway = true;
      for (int attempt = 0; attempt < 7; attempt++) {
        assertThat(codeOf(inbox, new EndedTransaction(), () -> {}))
            .as("attempt %s", attempt)
            .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      }
    }
  }

  @Test
  void outagesAreCountedWhereTheInboxIsAskedForEachTime() {
    List<ErrorCode> codes = new CopyOnWriteArrayList<>();
    for (int attempt = 0; attempt < 5; attempt++) {
      codes.add(outageOf(outledger.inbox("stock")));
    }
    assertThat(codes.subList(0, 4)).containsOnly(ErrorCode.STORE_UNAVAILABLE);
    assertThat(codes.get(4)).isEqualTo(ErrorCode.STORE_FAILED);
  }

  private ErrorCode outageOf(JdbcInbox inbox) {
    OwnTransaction transaction = new OwnTransaction();
    return codeOf(inbox, transaction, () -> endsItsSession(transaction));
  }

  private static ErrorCode codeOf(
      JdbcInbox inbox, OwnTransaction transaction, Inbox.Work<Exception> work) {
    return assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> inbox.processIn(transaction, harmed(), work))
        .actual()
        .code();
  }

  /** Of which nothing is left to see: such as in a nested transaction, or by the driver itself. */
  @Test
  void failureThatWasUndoneToASavepointIsCounted() {
    JdbcInbox inbox = outledger.inbox("stock");
    List<ErrorCode> codes = new CopyOnWriteArrayList<>();
    for (int attempt = 0; attempt < 5; attempt++) {
      OwnTransaction transaction = new OwnTransaction();
      codes.add(codeOf(inbox, transaction, () -> undoesItsFailure(transaction.connection())));
    }
    assertThat(codes.subList(0, 4)).containsOnly(ErrorCode.STORE_UNAVAILABLE);
    assertThat(codes.get(4)).isEqualTo(ErrorCode.STORE_FAILED);
  }

  private static void undoesItsFailure(Connection connection) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try (Statement statement = connection.createStatement()) {
      statement.execute("LOAD 'nosuchlib'");
    } finally {
      connection.rollback(before);
    }
  }

  @Test
  void anotherDatabaseThatCannotBeReachedOrIsFullIsAnOutageHoweverLongItLasts() {
    for (String state : List.of("08001", "53100")) {
      JdbcInbox inbox = outledger.inbox("stock");
      for (int attempt = 0; attempt < 7; attempt++) {
        assertThat(
                codeOf(
                    inbox,
                    new OwnTransaction(),
                    () -> {
                      throw new SQLException("the other database is down", state);
                    }))
            .as("%s, attempt %s", state, attempt)
            .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      }
    }
  }

  /** In turn, as where as many groups of a queue wait. */
  @Test
  void harmfulMessagesAreAllCountedHoweverManyTheyAre() throws Exception {
    JdbcInbox inbox = outledger.inbox("stock");
    int many = 1_100;
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      FrameworkTransaction transaction = new LosesEveryCommit(connection);
      for (int message = 0; message < 5 * many; message++) {
        Received received = message(message % many);
        ErrorCode code = message < 4 * many ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.STORE_FAILED;
        assertThatThrownBy(() -> inbox.processIn(transaction, received, () -> {}))
            .isInstanceOfSatisfying(
                StoreException.class, e -> assertThat(e.code()).isEqualTo(code));
      }
    }
  }

  private static Received message(int number) {
    return Received.ofLedger(
        "app", number, Message.to("orders", "placed").id(new UUID(1, number)).build());
  }

  /** A transaction that never takes effect, as a framework says it where its commit was lost. */
  private record LosesEveryCommit(Connection connection) implements FrameworkTransaction {

    @Override
    public Connection begin() {
      return connection;
    }

    @Override
    public void commit(Runnable failing) throws SQLException {
      connection.rollback();
      throw new IllegalStateException(
          "could not commit", new SQLException("the connection was lost", "08006"));
    }

    @Override
    public void rollBack(Throwable failure) {
      failure.addSuppressed(new IllegalStateException("nothing is rolled back in this test"));
    }
  }

  private static void endsItsSession(OwnTransaction transaction) throws SQLException {
    try (Statement statement = transaction.connection().createStatement()) {
      statement.execute("SELECT pg_terminate_backend(pg_backend_pid())");
    }
  }

  private static Received harmed() {
    return Received.ofLedger(
        "app", 1, Message.to("orders", "placed").id(new UUID(0, 1)).key("harmed").build());
  }

  private static void failOtherwise() {
    throw new IllegalArgumentException("another failure");
  }

  /** A transaction as a framework runs it. */
  private class OwnTransaction implements FrameworkTransaction {

    private @Nullable Connection connection;

    private Connection connection() {
      return Objects.requireNonNull(connection);
    }

    @Override
    public Connection begin() throws SQLException {
      connection = database.dataSource().getConnection();
      connection().setAutoCommit(false);
      return connection();
    }

    @Override
    public void commit(Runnable failing) throws SQLException {
      connection().commit();
      connection().close();
    }

    @Override
    public void rollBack(Throwable failure) {
      try (Connection ended = connection()) {
        ended.rollback();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** A database that can stop to answer. */
  private static final class MayBeAway extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;
    private boolean isAway;

    @Override
    public Connection getConnection() throws SQLException {
      if (isAway) {
        throw new SQLException("the database is away", "08001");
      }
      return super.getConnection();
    }
  }

  /** A transaction whose session has ended before anything is done in it. */
  private final class EndedTransaction extends OwnTransaction {

    @Override
    public Connection begin() throws SQLException {
      Connection begun = super.begin();
      assertThatThrownBy(() -> endsItsSession(this)).isInstanceOf(SQLException.class);
      return begun;
    }
  }

  /** A transaction whose commit is lost, as a framework says it. */
  private final class LosesItsCommit implements FrameworkTransaction {

    private final boolean commitsBefore;
    private final Connection connection;

    LosesItsCommit(boolean commitsBefore) throws SQLException {
      this.commitsBefore = commitsBefore;
      this.connection = database.dataSource().getConnection();
    }

    @Override
    public Connection begin() throws SQLException {
      connection.setAutoCommit(false);
      return connection;
    }

    @Override
    public void commit(Runnable failing) throws SQLException {
      if (commitsBefore) {
        connection.commit();
      }
      connection.close();
      throw new IllegalStateException(
          "could not commit", new SQLException("the connection was lost", "08006"));
    }

    @Override
    public void rollBack(Throwable failure) {
      failure.addSuppressed(new IllegalStateException("nothing is rolled back in this test"));
    }
  }

  /** However often it is lost, and also behind an attempt that was counted. */
  @Test
  void lostCommitOfADuplicateIsAnOutage() throws Exception {
    JdbcInbox inbox = outledger.inbox("stock");
    Received message = harmed();
    List<String> worked = new CopyOnWriteArrayList<>();
    for (int attempt = 0; attempt < 7; attempt++) {
      FrameworkTransaction transaction = new LosesItsCommit(attempt == 0);
      assertThatThrownBy(() -> inbox.processIn(transaction, message, () -> worked.add("harmed")))
          .as("attempt %s", attempt)
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
    }
    assertThat(worked).containsExactly("harmed");
  }
}
