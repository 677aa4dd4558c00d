// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.sql.OwnTransactions;
import io.outledger.servers.Await;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What we do is the same whatever the database, the role or the pool has for its defaults. */
class OwnTransactionIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String WAITING =
      """
      SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'\
      """;

  private final StoreDatabase database = StoreDatabase.create();

  @ParameterizedTest
  @CsvSource({
    "READ_UNCOMMITTED, true", "READ_COMMITTED, false", "REPEATABLE_READ, true",
    "REPEATABLE_READ, false", "SERIALIZABLE, true", "SERIALIZABLE, false"
  })
  void everyOperationWorksUnderEveryDefaultAndLeavesThePoolAsItWas(
      String isolation, boolean autoCommit) throws Exception {
    database.execute(StoreDatabase.append(10));
    database.execute(AdministrationRaces.dead("other", 3));
    database.execute(InboxSql.remember("c", new InboxId("s", "1"), "20 days"));
    HostilePool pool = HostilePool.of(database, level(isolation), autoCommit);
    try (Outledger outledger = Outledger.builder(pool).build()) {
      Subscriptions subscriptions = outledger.subscriptions();
      Stores stores = new Stores(pool);
      for (Start start : List.of(Start.EARLIEST, Start.NOW, Start.at(4), Start.at(Instant.EPOCH))) {
        try (RelayStore store = stores.relayStore("kafka", start, StoreDatabase.LEASE)) {
          assertThat(store.look().released()).isTrue();
        }
        subscriptions.delete("kafka");
      }
      try (RelayStore store = stores.relayStore("kafka", Start.EARLIEST, StoreDatabase.LEASE)) {
        OwnerByHand.of(store).readAndSettle();
        assertThat(subscriptions.move("kafka", Start.at(2))).isEqualTo(new Moved(10, 1));
        assertThat(subscriptions.skip("kafka", Start.NOW)).isEqualTo(new Moved(1, 10));
      }
      assertThat(outledger.admin().parked(ParkedQuery.of(Reader.subscription("kafka"))).rows())
          .isEmpty();
      assertThat(outledger.parkedMessages("kafka").retryAll()).isZero();
      assertThat(outledger.parkedMessages("other").discard(1, "")).isTrue();
      assertThat(outledger.parkedMessages("other").retryAll()).isEqualTo(3);
      assertThat(outledger.retention().purgeMessages(Duration.ZERO)).isEqualTo(10);
      assertThat(outledger.retention().purgeInbox(Duration.ofDays(14))).isEqualTo(1);
      PostgreSql.schema("elsewhere").apply(pool);
    }
    assertThat(pool.changed()).isEmpty();
  }

  /** The walk through the ledger has to wait for longer than any default of the pool allows. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void subscriptionIsMadeAndMovedHoweverLongTheWalkTakes(boolean isNew) throws Exception {
    database.execute(StoreDatabase.append(10));
    HostilePool pool = HostilePool.of(database, Connection.TRANSACTION_SERIALIZABLE, true);
    Stores stores = new Stores(pool);
    try (RelayStore store = stores.relayStore("kafka", Start.NOW, StoreDatabase.LEASE);
        Connection blocking = database.connect();
        Statement lock = blocking.createStatement()) {
      if (!isNew) {
        store.look();
      }
      lock.execute("SET idle_in_transaction_session_timeout = 0");
      lock.execute("SET statement_timeout = 0");
      if (database.number("SHOW server_version_num") >= 170_000) {
        lock.execute("SET transaction_timeout = 0");
      }
      lock.execute("BEGIN READ WRITE; LOCK TABLE outledger_message IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Long> walking =
          CompletableFuture.supplyAsync(
              () ->
                  isNew
                      ? store.look().n()
                      : Subscriptions.of(pool, "public").skip("kafka", Start.NOW).to());
      Await.until("it waits", PATIENCE, () -> database.number(WAITING) > 0 || walking.isDone());
      lock.execute("SELECT pg_sleep(1)");
      lock.execute("COMMIT");
      assertThat(walking.get(30, TimeUnit.SECONDS)).isEqualTo(isNew ? 1L : 10L);
    }
    assertThat(pool.changed()).isEmpty();
  }

  /** What was committed must survive a crash, whatever the application settles for. */
  @Test
  void whatItCommitsIsOnTheDisk() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET synchronous_commit = off");
      String within =
          OwnTransactions.on(
              connection,
              PostgresTransactions.STATED,
              OperatorTransactions.Kind.CHANGES,
              OwnTransactionIT::commits);
      assertThat(within).isEqualTo("on");
      assertThat(commits(connection)).isEqualTo("off");
    }
  }

  private static String commits(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW synchronous_commit")) {
      row.next();
      return row.getString(1);
    }
  }

  private static int level(String name) {
    return switch (name) {
      case "READ_UNCOMMITTED" -> Connection.TRANSACTION_READ_UNCOMMITTED;
      case "READ_COMMITTED" -> Connection.TRANSACTION_READ_COMMITTED;
      case "REPEATABLE_READ" -> Connection.TRANSACTION_REPEATABLE_READ;
      default -> Connection.TRANSACTION_SERIALIZABLE;
    };
  }
}
