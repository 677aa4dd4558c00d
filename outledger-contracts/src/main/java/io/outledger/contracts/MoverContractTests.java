// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.DueMessages.Due;
import io.outledger.relay.RunningRelay;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How messages that are due come into the ledger. */
abstract class MoverContractTests extends DatabaseContractTests {

  private static final Delivery NOW = Delivery.after(Duration.ZERO);
  private static final Delivery ONE_TIME = Delivery.at(Instant.parse("2026-01-01T00:00:00Z"));
  private static final UUID ONE = new UUID(1, 1);
  private static final UUID OTHER = new UUID(1, 2);
  private static final int MANY = 2_500;
  private static final int MANY_LOCKED = 6_500;
  private static final int RACES = 60;
  private static final int COMMITS = 5;
  private static final int LARGE = 9 << 20;

  @Test
  final void messagesOfOneTimeEnterInTheOrderInWhichTheyWereScheduled() {
    List<String> keys = IntStream.range(0, MANY).mapToObj(i -> "key-" + i % 7).toList();
    List<UUID> ids = new ArrayList<>();
    process()
        .transactions()
        .run(
            connection -> {
              for (String key : keys) {
                ids.add(process().outbox().append(connection, message(key), ONE_TIME));
              }
            });
    for (int i = 0; i < 20; i++) {
      ids.add(schedule("key-" + i % 7, ONE_TIME));
    }
    List<Message> all = relayUntil(some -> some.size() >= ids.size());
    for (int key = 0; key < 7; key++) {
      String wanted = "key-" + key;
      List<UUID> inOrder =
          all.stream().filter(each -> wanted.equals(each.key())).map(Message::id).toList();
      assertThat(inOrder).isEqualTo(ids.stream().filter(inOrder::contains).toList());
    }
    assertThat(all).extracting(Message::id).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(waiting()).isZero();
  }

  @Test
  final void earlierOneEntersFirst() {
    schedule("a", Delivery.at(Instant.parse("2026-01-01T00:00:01Z")));
    UUID first = schedule("a", ONE_TIME);
    assertThat(relayUntil(some -> some.size() == 2).get(0).id()).isEqualTo(first);
  }

  @Test
  final void messageDoesNotEnterBeforeItsTime() {
    schedule("a", Delivery.after(LONG));
    Duration left =
        inTransactionOf(transaction -> database().dueMessages().untilNext(transaction))
            .orElseThrow();
    assertThat(left).isPositive().isLessThanOrEqualTo(LONG);
    assertThat(due()).isEmpty();
    UUID soon = schedule("a", Delivery.after(Duration.ofMillis(100)));
    until("the second is due", () -> !due().isEmpty());
    assertThat(due()).extracting(each -> each.row().id()).containsExactly(soon);
  }

  @Test
  final void moverThatDiesHalfwayHasMovedNothing() throws SQLException {
    List<UUID> ids = List.of(schedule("a", NOW), schedule("a", NOW), schedule("b", NOW));
    DueMessages due = database().dueMessages();
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(due.takeLease(connection, ONE, Duration.ofMillis(300), null)).isTrue();
      connection.commit();
      List<Due> page = due.due(connection, 10, Set.of());
      database()
          .appender()
          .append(connection, List.copyOf(due.lock(connection, page).messages().values()));
      assertThat(due.remove(connection, page.stream().map(Due::number).toList())).isEqualTo(3);
      connection.rollback();
    }
    assertThat(relayUntil(some -> some.size() >= 3))
        .extracting(Message::id)
        .containsExactlyElementsOf(ids);
    assertThat(waiting()).isZero();
  }

  @Test
  final void processThatDiesAtSomeOfItsCommitsLeavesEachMessageOnce() throws Exception {
    CommitPoints.tryQuarter(0, this::movesEachOnceKilledAt);
  }

  @Test
  @Tag(CommitPoints.LONG)
  final void processThatDiesAtAnyOfItsCommitsLeavesEachMessageOnce() throws Exception {
    CommitPoints.tryAll(this::movesEachOnceKilledAt);
  }

  /** Returns false beyond what one round of it takes: it commits as long as it runs. */
  private boolean movesEachOnceKilledAt(int commit, boolean after) {
    if (commit > COMMITS) {
      return false;
    }
    List<UUID> ids = List.of(schedule("a", NOW), schedule("a", NOW), schedule("b", NOW));
    moveUntilDead(commit, after);
    execute("DELETE FROM outledger_mover"); // as if its lease had ended
    assertThat(relayUntil(some -> some.size() >= ids.size()))
        .as("dead at commit %s, after it: %s", commit, after)
        .extracting(Message::id)
        .containsExactlyElementsOf(ids);
    assertThat(waiting()).isZero();
    return true;
  }

  private void moveUntilDead(int commit, boolean after) {
    KillingDataSource killing = new KillingDataSource(dataSource());
    try (Outledger dying =
        Outledger.builder(killing.dataSource())
            .relayDataSource(dataSource())
            .withoutRetention()
            .build()) {
      killing.dieAt(commit, after);
      try (RunningRelay relay = dying.relay("dying").to(new RecordingPublisher()).start()) {
        until(relay, killing::isDead);
      }
    }
  }

  @Test
  final void oneMoverHasTheLeaseUntilItEnds() {
    DueMessages due = database().dueMessages();
    assertThat(takesLease(ONE, LONG)).isTrue();
    assertThat(takesLease(ONE, LONG)).isTrue();
    assertThat(takesLease(OTHER, LONG)).isFalse();
    assertThat(hasLease(ONE)).isTrue();
    assertThat(hasLease(OTHER)).isFalse();
    inTransaction(transaction -> due.giveLeaseBack(transaction, OTHER));
    assertThat(hasLease(ONE)).isTrue();
    inTransaction(transaction -> due.giveLeaseBack(transaction, ONE));
    assertThat(takesLease(OTHER, Duration.ofMillis(100))).isTrue();
    fixture().letPass(Duration.ofMillis(150));
    assertThat(hasLease(OTHER)).isFalse();
    assertThat(takesLease(ONE, LONG)).isTrue();
  }

  @Test
  final void leaseThatStandsStillIsOverWhateverTheDatabasesClockSays() {
    DueMessages due = database().dueMessages();
    assertThat(inTransactionOf(due::lease)).isEmpty();
    assertThat(takesLease(ONE, LONG)).isTrue();
    DueMessages.Lease seen = inTransactionOf(due::lease).orElseThrow();
    assertThat(seen.holder()).isEqualTo(ONE);
    assertThat(takesLease(ONE, LONG)).isTrue();
    assertThat(takesLease(OTHER, LONG, seen)).isFalse();
    DueMessages.Lease still = inTransactionOf(due::lease).orElseThrow();
    assertThat(takesLease(OTHER, LONG, still)).isTrue();
    assertThat(hasLease(OTHER)).isTrue();
    assertThat(hasLease(ONE)).isFalse();
  }

  /** More than a batch holds in memory, and others before and behind it. */
  @Test
  final void largeMessagesMoveToo() {
    schedule("a", ONE_TIME);
    try (Outledger other =
        Outledger.builder(dataSource()).withoutRetention().payloadBytesMax(LARGE).build()) {
      for (int i = 0; i < 2; i++) {
        Message large = message("large").copy().payload("x".repeat(LARGE).getBytes(UTF_8)).build();
        other.outbox().inNewTransaction(large, ONE_TIME);
      }
    }
    schedule("b", ONE_TIME);
    assertThat(relayUntil(some -> some.size() >= 4))
        .extracting(Message::key)
        .containsExactly("a", "large", "large", "b");
  }

  @Test
  final void rowThatIsNoMessageHoldsItsKeyAlone() {
    for (String key : List.of("a", "bad", "bad", "b")) {
      schedule(key, ONE_TIME);
    }
    execute("UPDATE outledger_scheduled SET headers = '%zz' WHERE message_key = 'bad'");
    assertThat(relayUntil(some -> some.size() >= 2))
        .extracting(Message::key)
        .containsExactly("a", "b");
    assertThat(waiting()).isEqualTo(2);
    execute("UPDATE outledger_scheduled SET headers = NULL WHERE message_key = 'bad'");
    assertThat(relayUntil(some -> some.size() >= 2)).extracting(Message::key).containsOnly("bad");
  }

  @Test
  final void keysThatAreHeldAreLeftOut() {
    for (int i = 0; i < 3; i++) {
      schedule("a", ONE_TIME);
      schedule("b", ONE_TIME);
    }
    process().outbox().inNewTransaction(Message.to("t", "e").build(), ONE_TIME);
    assertThat(due(10, Set.of("a", "c"))).extracting(Due::key).containsExactly("b", "b", "b", null);
    assertThat(due(2, Set.of("a", "b"))).hasSize(1);
  }

  @Test
  final void whatAnOpenTransactionCancelsHoldsItsKeyAlone() throws SQLException {
    UUID first = schedule("a", ONE_TIME);
    schedule("a", ONE_TIME);
    schedule("b", ONE_TIME);
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(process().outbox().cancel(connection, first)).isTrue();
      if (fixture().writers() == DatabaseFixture.Writers.SEVERAL) {
        assertThat(relayUntil(some -> !some.isEmpty()))
            .extracting(Message::key)
            .containsExactly("b");
      }
      connection.rollback();
    }
    int left = fixture().writers() == DatabaseFixture.Writers.SEVERAL ? 2 : 3;
    assertThat(relayUntil(some -> some.size() == left).get(0).id()).isEqualTo(first);
  }

  /** They are more than one batch tries, and more than one page has. */
  @Test
  final void whatAnOpenTransactionCancelsHoldsUpNoOtherHoweverMuchItIs() throws SQLException {
    if (fixture().writers() != DatabaseFixture.Writers.SEVERAL) {
      return;
    }
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < MANY_LOCKED; i++) {
        process().outbox().append(connection, message("locked-" + i), ONE_TIME.named("l" + i));
      }
      connection.commit();
      schedule("b", ONE_TIME);
      for (int i = 0; i < MANY_LOCKED; i++) {
        process().outbox().cancel(connection, "l" + i);
      }
      assertThat(relayUntil(some -> !some.isEmpty())).extracting(Message::key).containsExactly("b");
      connection.commit();
    }
    assertThat(waiting()).isZero();
  }

  @Test
  final void eachMessageIsEitherCancelledOrDelivered() {
    RecordingPublisher publisher = new RecordingPublisher();
    Set<UUID> cancelled = new TreeSet<>();
    Set<UUID> all = new TreeSet<>();
    try (Outledger relaying = Outledger.builder(dataSource()).withoutRetention().build();
        RunningRelay relay = relaying.relay(SUBSCRIPTION).to(publisher).start()) {
      for (int i = 0; i < RACES; i++) {
        UUID id =
            relaying.outbox().inNewTransaction(message("key-" + i % 3), Delivery.after(AT_ONCE));
        all.add(id);
        for (int spin = 0; spin < i * 200; spin++) {
          Thread.onSpinWait();
        }
        if (isCancelled(relaying, id)) {
          cancelled.add(id);
        }
      }
      until(relay, () -> publisher.messages().size() >= RACES - cancelled.size());
    }
    List<UUID> delivered = publisher.messages().stream().map(Message::id).toList();
    assertThat(delivered).doesNotContainAnyElementsOf(cancelled).doesNotHaveDuplicates();
    all.removeAll(cancelled);
    assertThat(delivered).containsExactlyInAnyOrderElementsOf(all);
    assertThat(waiting()).isZero();
  }

  /** Tries again where the database refuses to change what the relay has changed since. */
  private static boolean isCancelled(Outledger app, UUID id) {
    while (true) {
      try {
        return app.transactions().call(connection -> app.outbox().cancel(connection, id));
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("retry the whole transaction");
      }
    }
  }

  @Test
  final void twoProcessesMoveEachMessageOnce() throws InterruptedException {
    List<UUID> ids = IntStream.range(0, 300).mapToObj(i -> schedule("k" + i % 5, NOW)).toList();
    CountDownLatch begun = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              begun.countDown();
              relayUntil("other", some -> some.size() >= ids.size());
            });
    other.start();
    begun.await();
    assertThat(relayUntil(some -> some.size() >= ids.size()))
        .extracting(Message::id)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(ids);
    other.join();
  }

  @Test
  final void overdueMessagesAreShownWhereNobodyMovesThem() {
    assertThat(overdue()).isZero();
    schedule("a", Delivery.after(LONG));
    assertThat(overdue()).isZero();
    schedule("b", ONE_TIME);
    schedule("c", ONE_TIME);
    assertThat(overdue()).isEqualTo(2);
    relayUntil(some -> some.size() == 2);
    assertThat(overdue()).isZero();
  }

  private List<Due> due() {
    return due(10, Set.of());
  }

  private List<Due> due(int rows, Set<String> without) {
    return inTransactionOf(transaction -> database().dueMessages().due(transaction, rows, without));
  }

  private long overdue() {
    return count(
        "SELECT COALESCE(MAX(l.behind), 0) FROM outledger_lag l WHERE l.state = 'overdue'");
  }

  private boolean takesLease(UUID mover, Duration length) {
    return takesLease(mover, length, null);
  }

  private boolean takesLease(UUID mover, Duration length, DueMessages.@Nullable Lease over) {
    return inTransactionOf(
        transaction -> database().dueMessages().takeLease(transaction, mover, length, over));
  }

  private boolean hasLease(UUID mover) {
    return inTransactionOf(transaction -> database().dueMessages().hasLease(transaction, mover));
  }

  private UUID schedule(String key, Delivery when) {
    return process().outbox().inNewTransaction(message(key), when);
  }

  private static Message message(String key) {
    return StoreContractTests.message(key);
  }

  private long waiting() {
    return count("SELECT COUNT(*) FROM outledger_scheduled");
  }
}
