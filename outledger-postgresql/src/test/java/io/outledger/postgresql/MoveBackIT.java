// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.Moved;
import io.outledger.relay.Relay;
import io.outledger.servers.Await;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A move back of handlers that remember what they have processed. */
final class MoveBackIT {

  private static final Duration AT_MOST = Duration.ofSeconds(60);
  private static final int MESSAGES = 10;
  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
          + " AND datname = current_database()";

  private final TestDatabase database = TestDatabase.create();

  @BeforeEach
  void makeEffects() {
    database.execute("CREATE TABLE effect (handler text, version int)");
  }

  @Test
  void moveBackTellsHowMuchHandlersWillPassOver() throws Exception {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      processAll(outledger);
      Moved moved = outledger.subscriptions().move("app", Start.at(4));
      assertThat(moved.isBack()).isTrue();
      assertThat(moved.known()).isEqualTo(2 * (MESSAGES - 3));
      assertThat(moved.forgotten()).isZero();
      drain(outledger, "app");
    }
    assertThat(effects("app/stock")).isEqualTo(MESSAGES);
    assertThat(effects("app/mail")).isEqualTo(MESSAGES);
  }

  @Test
  void handlersOfThatSubscriptionAloneProcessTheRangeAgainWhereThatIsAskedFor() throws Exception {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      processAll(outledger);
      Moved moved = outledger.subscriptions().moveAndProcessAgain("app", Start.at(4));
      assertThat(moved.forgotten()).isEqualTo(2 * (MESSAGES - 3));
      assertThat(moved.known()).isZero();
      // Others whose names begin alike are moved as well, and know everything still.
      assertThat(outledger.subscriptions().move("app/stock", Start.EARLIEST).known())
          .isEqualTo(2 * MESSAGES);
      assertThat(outledger.subscriptions().move("app2", Start.EARLIEST).known())
          .isEqualTo(2 * MESSAGES);
      for (String each : new String[] {"app", "app/stock", "app2"}) {
        drain(outledger, each);
      }
    }
    assertThat(effects("app/stock")).isEqualTo(MESSAGES + MESSAGES - 3);
    assertThat(effects("app/mail")).isEqualTo(MESSAGES + MESSAGES - 3);
    assertThat(effects("app/stock/stock")).isEqualTo(MESSAGES);
    assertThat(effects("app2/mail")).isEqualTo(MESSAGES);
  }

  /**
   * What is remembered may be millions of rows, and neither the owner nor a purge waits for them.
   */
  @Test
  void ownerSavesOnWhileHandlersForget() throws Exception {
    StoreDatabase other = StoreDatabase.create();
    other.execute(StoreDatabase.append(MESSAGES));
    other.execute(
        InboxSql.remember(
            "app/mail", "app", "(SELECT * FROM outledger_message WHERE position = 4)", "0 s"));
    try (RelayStore store = other.store("app");
        Connection holder = other.connect();
        Statement lock = holder.createStatement()) {
      OwnerByHand owner = OwnerByHand.of(store);
      owner.readAndSettle();
      holder.setAutoCommit(false);
      lock.execute("SELECT * FROM outledger_inbox FOR UPDATE");
      Subscriptions subscriptions = Subscriptions.of(other.dataSource(), "public");
      CompletableFuture<Moved> moved =
          CompletableFuture.supplyAsync(
              () -> subscriptions.moveAndProcessAgain("app", Start.EARLIEST));
      Await.until("it waits", AT_MOST, () -> other.number(WAITING) > 0);
      assertThat(owner.save(List.of(), Positions.NONE)).isInstanceOf(SaveOutcome.Saved.class);
      other.execute("SELECT * FROM outledger_retention FOR UPDATE NOWAIT");
      holder.commit();
      assertThat(moved.get(30, TimeUnit.SECONDS)).isEqualTo(new Moved(MESSAGES, 0, 0, 1));
      assertThat(owner.save(List.of(), Positions.NONE)).isInstanceOf(SaveOutcome.Fenced.class);
    }
  }

  @Test
  void skipForgetsNothing() throws Exception {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      processAll(outledger);
      outledger.outbox().inNewTransaction(message(99));
      Moved moved = outledger.subscriptions().skip("app", Start.NOW);
      assertThat(moved).isEqualTo(new Moved(MESSAGES, MESSAGES + 1));
    }
    assertThat(database.count("outledger_inbox")).isEqualTo(6 * MESSAGES);
  }

  private void processAll(Outledger outledger) throws InterruptedException {
    for (int i = 1; i <= MESSAGES; i++) {
      outledger.outbox().inNewTransaction(message(i));
    }
    drain(outledger, "app");
    drain(outledger, "app/stock");
    drain(outledger, "app2");
  }

  private void drain(Outledger outledger, String subscription) throws InterruptedException {
    try (Relay relay =
        outledger
            .relay(subscription)
            .handler("stock", (c, message) -> insert(c, subscription + "/stock", message))
            .handler("mail", (c, message) -> insert(c, subscription + "/mail", message))
            .build()) {
      relay.drain(AT_MOST);
    }
  }

  private static Message message(int number) {
    return Message.to("orders", "order.placed").key("k" + number).version(number).build();
  }

  private static void insert(Connection connection, String handler, Message message)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect VALUES (?, ?)")) {
      insert.setString(1, handler);
      insert.setInt(2, message.version());
      insert.executeUpdate();
    }
  }

  private int effects(String handler) {
    return database.query("SELECT version FROM effect WHERE handler = '" + handler + "'").size();
  }
}
