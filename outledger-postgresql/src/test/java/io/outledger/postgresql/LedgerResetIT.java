// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.Subscriptions;
import io.outledger.relay.Relay;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that are handed out again, or out of order, between two looks at the ledger. */
class LedgerResetIT {

  private static final String TRUNCATE = "TRUNCATE outledger_message RESTART IDENTITY";
  private static final String DELETE =
      "DELETE FROM outledger_message; SELECT setval('outledger_message_position', 1, false)";

  private static void publishes(StoreBench bench, Relay relay, int count) {
    bench.steps(relay, 10);
    assertThat(bench.published()).hasSize(count);
  }

  private static void refuses(StoreBench bench, Relay relay) {
    assertThatThrownBy(() -> bench.steps(relay, 10))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("OUT-007", "move the subscription");
    assertThatThrownBy(() -> bench.steps(relay, 10)).isInstanceOf(ConfigurationException.class);
  }

  private static void publishesAgainOnceMoved(StoreBench bench, Relay relay, int count) {
    Subscriptions.of(bench.database.dataSource(), "public")
        .move(StoreBench.SUBSCRIPTION, Start.EARLIEST);
    publishes(bench, relay, count);
  }

  @ParameterizedTest
  @ValueSource(strings = {TRUNCATE, DELETE})
  void ledgerThatWasResetAndHasMoreMessagesThanBeforeIsNoticedByItsOwner(String reset)
      throws Exception {
    try (StoreBench bench = new StoreBench()) {
      Relay relay = bench.relay();
      bench.append("k", 1, 50);
      publishes(bench, relay, 50);
      bench.database.execute(reset);
      bench.append("k", 101, 180);
      refuses(bench, relay);
      assertThat(bench.published()).hasSize(50);
      publishesAgainOnceMoved(bench, relay, 130);
    }
  }

  @Test
  void ledgerThatWasResetWhileNobodyLookedIsNoticedByTheNextOwner() throws Exception {
    for (String reset : new String[] {TRUNCATE, DELETE}) {
      try (StoreBench bench = new StoreBench()) {
        Relay first = bench.relay();
        bench.append("k", 1, 50);
        publishes(bench, first, 50);
        first.handOver();
        bench.steps(first, 2);
        bench.database.execute(reset);
        rollBackAt(bench, 50);
        bench.append("k", 101, 180);
        refuses(bench, bench.relay());
      }
    }
  }

  /** So no message stands where the cursor's last one stood. */
  private static void rollBackAt(StoreBench bench, int position) throws SQLException {
    bench.append("k", 201, 200 + position - 1);
    try (Connection connection = bench.begin()) {
      bench.append(connection, "gone", 1, 1);
      connection.rollback();
    }
  }

  @Test
  void messagesThatRetentionRemovedAreNotMissed() throws Exception {
    try (StoreBench bench = new StoreBench()) {
      Relay first = bench.relay();
      bench.append("k", 1, 50);
      publishes(bench, first, 50);
      first.handOver();
      bench.steps(first, 2);
      Retention retention =
          Retention.of(bench.database.dataSource(), "public", InboxRetention.DEFAULT);
      assertThat(retention.purgeMessages(Duration.ZERO)).isEqualTo(50);
      bench.append("k", 51, 60);
      publishes(bench, bench.relay(), 60);
    }
  }

  @Test
  void numbersThatASessionHadInReserveAreNotLost() throws Exception {
    try (StoreBench bench = new StoreBench();
        Connection reserves = bench.database.connect();
        Statement statement = reserves.createStatement()) {
      Relay relay = bench.relay();
      bench.append("k", 1, 1);
      publishes(bench, relay, 1);
      statement.execute("ALTER SEQUENCE outledger_message_position CACHE 20");
      statement.execute(StoreDatabase.append(1));
      bench.append("k", 2, 4);
      statement.execute("ALTER SEQUENCE outledger_message_position CACHE 1");
      bench.steps(relay, 5);
      statement.execute(StoreDatabase.append(3));
      bench.append("k", 5, 9);
      bench.steps(relay, 5);
      statement.execute(StoreDatabase.append(1));
      publishes(bench, relay, 14);
    }
  }
}
