// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.jdbc.sql.MessagePurge;
import io.outledger.servers.Await;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RetentionIT {

  private static final Duration NOW = Duration.ZERO;

  @Test
  void nothingIsPurgedWithoutASubscription() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(100));
    assertThat(retention(database).purgeMessages(NOW)).isZero();
  }

  @Test
  void whatIsToBeKeptForeverIsKept() throws SQLException {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand.of(store).readAndSettle();
      assertThat(retention(database).purgeMessages(forever)).isZero();
      assertThat(retention(database).purgeInbox(forever)).isZero();
    }
  }

  @Test
  void messageFromTheFarFutureStopsNoPurgeAndOneFromTheNearFutureDoes() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(3));
    database.execute(
        """
        UPDATE outledger_message SET appended_at = clock_timestamp()
               + CASE position WHEN 1 THEN interval '2 days'
                               WHEN 2 THEN interval '-2 days' ELSE interval '1 hour' END\
        """);
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand.of(store).readAndSettle();
      assertThat(retention(database).purgeMessages(Duration.ofDays(1))).isEqualTo(2);
      assertThat(database.query("SELECT position FROM outledger_message")).containsExactly("3");
    }
  }

  @Test
  void onlyWhatEverySubscriptionHasSettledIsPurged() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(25_000));
    try (RelayStore fast = database.store("fast");
        RelayStore slow = database.store("slow")) {
      OwnerByHand first = OwnerByHand.of(fast);
      while (first.readAndSettle().more()) {
        assertThat(first.frontier.high()).isPositive();
      }
      OwnerByHand second = OwnerByHand.of(slow);
      second.frontier = second.frontier.readTo(20_000).settle(Positions.range(1, 14_999));
      second.save(List.of(), Positions.NONE);
      assertThat(retention(database).purgeMessages(Duration.ofDays(1))).isZero();
      assertThat(retention(database).purgeMessages(NOW)).isEqualTo(14_999);
      assertThat(retention(database).purgedTo()).isEqualTo(14_999);
      second.frontier = second.frontier.settle(Positions.range(16_000, 20_000));
      second.save(List.of(), Positions.range(15_000, 15_999));
      assertThat(retention(database).purgeMessages(NOW)).isZero();
      second.frontier = second.frontier.settle(Positions.range(15_000, 15_499));
      second.save(List.of(), Positions.range(15_500, 15_999));
      assertThat(retention(database).purgeMessages(NOW)).isEqualTo(500);
      assertThat(database.number("SELECT min(position) FROM outledger_message")).isEqualTo(15_500);
    }
  }

  @Test
  void numbersThatNobodyUsedArePassedOverAtOnce() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(1));
    database.execute("ALTER SEQUENCE outledger_message_position RESTART WITH 1000000000000");
    database.execute(StoreDatabase.append(1));
    database.execute("ALTER SEQUENCE outledger_message_position RESTART WITH 2000000000000");
    MessagePurge purge = new MessagePurge(new Tables("public"), 10);
    try (RelayStore store = database.store("kafka");
        Connection connection = database.dataSource().getConnection()) {
      OwnerByHand owner = OwnerByHand.of(store);
      owner.frontier =
          owner.frontier.readTo(1_999_999_999_999L).settle(Positions.range(1, 1_999_999_999_999L));
      owner.save(List.of(), Positions.NONE);
      connection.setAutoCommit(false);
      Step step = purge.step(connection, NOW, Step.NONE);
      assertThat(step).isEqualTo(new Step(1, true, 10));
      step = purge.step(connection, NOW, step);
      assertThat(step).isEqualTo(new Step(1, true, 1_000_000_000_009L));
      step = purge.step(connection, NOW, step);
      assertThat(step.to()).isEqualTo(1_999_999_999_999L);
      assertThat(purge.step(connection, NOW, step)).isEqualTo(Step.NONE);
      connection.rollback();
    }
  }

  @Test
  void startedRetentionGoesOnPurgingUntilTheDoorIsClosed() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
        outledger.retention().start(NOW, Duration.ofMillis(20));
        for (int round = 0; round < 2; round++) {
          database.execute(StoreDatabase.append(50));
          relay.readAndSettle();
          relay.save(List.of(), Positions.NONE);
          Await.until("all are purged", Duration.ofSeconds(20), () -> messages(database) == 0);
        }
      }
      Await.until("its thread ends", Duration.ofSeconds(20), () -> retentionThreads() == 0);
    }
  }

  private static long messages(StoreDatabase database) throws SQLException {
    return database.number("SELECT count(*) FROM outledger_message");
  }

  private static long retentionThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("outledger-retention"))
        .count();
  }

  @Test
  void retentionThatCannotBeIsRefused() throws SQLException {
    Retention retention = retention(StoreDatabase.create());
    assertThatThrownBy(() -> retention.start(Duration.ofDays(-1), Retention.EVERY_DEFAULT))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> retention.start(Retention.MESSAGES_DEFAULT, Duration.ZERO))
        .isInstanceOf(ConfigurationException.class);
  }

  @Test
  void parkedMessageOutlivesTheLedgersOwn() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      Message message = relay.readAndSettle().messages().get(1).message();
      relay.save(
          List.of(
              new ParkedChange.Park(
                  new ParkedMessage(
                      2, "", message, ParkedState.DEAD, 3, false, null, false, 0, null),
                  "no",
                  null)),
          Positions.NONE);
      assertThat(retention(database).purgeMessages(NOW)).isEqualTo(3);
      ParkedMessages parked = ParkedMessages.of(database.dataSource(), "public", "kafka");
      ParkedQuery all = ParkedQuery.of(Reader.subscription("kafka"));
      assertThat(database.admin().parked(all.withPayload(1_000)).rows())
          .singleElement()
          .satisfies(
              dead -> {
                assertThat(dead.error()).isEqualTo("no");
                assertThat(dead.message().payload()).isEqualTo(message.payload());
                assertThat(dead.requested()).isNull();
              });
      assertThat(parked.retryAll()).isEqualTo(1);
      assertThat(store.due(Set.of(""), Set.of(), 10))
          .extracting(ParkedMessage::position)
          .contains(2L);
      assertThat(parked.retry(7, "")).isFalse();
      assertThat(parked.discard(2, "")).isTrue();
      assertThat(store.discards(ParkedPlace.FIRST, 10)).hasSize(1);
      relay.save(List.of(new ParkedChange.Remove(2, "", message.id())), Positions.NONE);
      assertThat(database.admin().parked(all).rows()).isEmpty();
      assertThat(database.number("SELECT count(*) FROM outledger_late")).isZero();
    }
  }

  @Test
  void nothingIsMovedToBeforeWhatWasPurged() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(10));
    Subscriptions subscriptions = Subscriptions.of(database.dataSource(), "public");
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      relay.readAndSettle();
      relay.frontier = relay.frontier.settle(Positions.NONE);
      database.execute(
          "UPDATE outledger_message SET appended_at = now() + interval '1 h' WHERE position > 5");
      assertThat(retention(database).purgeMessages(NOW)).isEqualTo(5);
      assertCode(() -> subscriptions.move("kafka", Start.at(5)), ErrorCode.POSITION_PURGED);
      assertCode(() -> subscriptions.move("kafka", Start.at(12)), ErrorCode.INVALID_CONFIGURATION);
      assertCode(() -> subscriptions.move("other", Start.at(6)), ErrorCode.UNKNOWN_SUBSCRIPTION);
      assertCode(() -> database.store("new", Start.at(5)).look(), ErrorCode.POSITION_PURGED);
      subscriptions.move("kafka", Start.at(6));
      assertThat(database.admin().subscriptions())
          .singleElement()
          .satisfies(s -> assertThat(s.cursor().lowest()).isEqualTo(6));
      assertThat(relay.save(List.of(), Positions.NONE)).isInstanceOf(SaveOutcome.Fenced.class);
      OwnerByHand again = OwnerByHand.of(store);
      assertThat(positions(again.readAndSettle())).containsExactly(6L, 7L, 8L, 9L, 10L);
      subscriptions.move("kafka", Start.EARLIEST);
      assertThat(OwnerByHand.of(store).frontier.high()).isEqualTo(5);
    }
  }

  @Test
  void purgeAndMoveWaitForEachOther() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(2000));
    Subscriptions subscriptions = Subscriptions.of(database.dataSource(), "public");
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try (RelayStore store = database.store("kafka")) {
      store.look();
      for (int round = 1; round <= 20; round++) {
        subscriptions.skip("kafka", Start.NOW);
        long target = round * 100L;
        Future<Long> purging = pool.submit(() -> retention(database).purgeMessages(NOW));
        Future<Boolean> moving = pool.submit(() -> moves(subscriptions, target));
        purging.get();
        if (moving.get()) {
          assertThat(database.number("SELECT min(position) FROM outledger_message"))
              .isLessThanOrEqualTo(target);
        }
        database.execute(StoreDatabase.append(100));
      }
      assertThat(store.look().released()).isTrue();
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void runningOwnerCannotStopAMove() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(10));
    ExecutorService pool = Executors.newFixedThreadPool(1);
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      CountDownLatch saved = new CountDownLatch(1);
      Future<Integer> saving =
          pool.submit(
              () -> {
                int saves = 0;
                while (relay.save(List.of(), Positions.NONE) instanceof SaveOutcome.Saved) {
                  saves++;
                  saved.countDown();
                }
                return saves;
              });
      assertThat(saved.await(30, TimeUnit.SECONDS)).isTrue();
      Subscriptions subscriptions = Subscriptions.of(database.dataSource(), "public");
      subscriptions.skip("kafka", Start.at(5));
      assertThat(saving.get()).isPositive();
      assertThat(database.admin().subscriptions().get(0).cursor().lowest()).isEqualTo(5);
      subscriptions.delete("kafka");
      assertThat(database.admin().subscriptions()).isEmpty();
      assertThat(relay.save(List.of(), Positions.NONE)).isInstanceOf(SaveOutcome.Fenced.class);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void moveToNowKeepsAnUncommittedLowerNumberOpen() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    try (Connection writer = database.connect();
        Statement statement = writer.createStatement();
        RelayStore store = database.store("kafka", Start.NOW)) {
      writer.setAutoCommit(false);
      statement.execute(StoreDatabase.append(1));
      database.execute(StoreDatabase.append(2));
      OwnerByHand relay = OwnerByHand.of(store);
      assertThat(positions(relay.readAndSettle())).isEmpty();
      Subscriptions.of(database.dataSource(), "public").skip("kafka", Start.NOW);
      OwnerByHand moved = OwnerByHand.of(store);
      moved.readAndSettle();
      writer.commit();
      assertThat(positions(moved.readAndSettle())).containsExactly(1L);
    }
  }

  @Test
  void oldInboxRecordsArePurgedAndYoungOnesKept() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(
        """
        INSERT INTO outledger_inbox (processed_minute, consumer_no, message_hash)
        SELECT date_part('epoch', now() - interval '15 days' * (i % 2)) / 60, 1, md5(i::text)::uuid
          FROM generate_series(1, 30000) i\
        """);
    Retention retention = retention(database);
    assertCode(
        () -> retention.purgeInbox(Duration.ofDays(14).minusMillis(1)),
        ErrorCode.RETENTION_TOO_SHORT);
    assertThat(retention.purgeInbox(Duration.ofDays(14))).isEqualTo(15_000);
    assertThat(database.number("SELECT count(*) FROM outledger_inbox")).isEqualTo(15_000);
  }

  private static List<Long> positions(Page page) {
    return page.messages().stream().map(LedgerMessage::position).toList();
  }

  private static boolean moves(Subscriptions subscriptions, long position) {
    try {
      subscriptions.move("kafka", Start.at(position));
      return true;
    } catch (ConfigurationException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.POSITION_PURGED);
      return false;
    }
  }

  private static Retention retention(StoreDatabase database) {
    return Retention.of(database.dataSource(), "public", InboxRetention.DEFAULT);
  }

  private static void assertCode(Runnable action, ErrorCode code) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
