// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.Subscriptions;
import io.outledger.publish.Outcome;
import io.outledger.relay.Relay;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A ledger is emptied and filled again, in one transaction, where a subscription has settled
 * positions without having saved the message at the highest one: it was placed there, or has saved
 * nothing yet, or retention has removed it.
 */
class LedgerResetElsewhereIT {

  /** The ways to hand numbers out again. */
  enum Reset {
    RESTART("TRUNCATE outledger_message RESTART IDENTITY"),
    TRUNCATE("TRUNCATE outledger_message; SELECT setval('outledger_message_position', 1, false)"),
    DELETE("DELETE FROM outledger_message; SELECT setval('outledger_message_position', 1, false)");

    private final String sql;

    Reset(String sql) {
      this.sql = sql;
    }

    void on(StoreBench bench, int messages) throws SQLException {
      on(bench, StoreDatabase.append(messages));
    }

    /** There is a message at each number but one. */
    void withAHoleOn(StoreBench bench, int hole, int messages) throws SQLException {
      on(
          bench,
          StoreDatabase.append(hole - 1)
              + "; SELECT nextval('outledger_message_position'); "
              + StoreDatabase.append(messages - hole + 1));
    }

    private void on(StoreBench bench, String appends) throws SQLException {
      bench.database.execute("BEGIN; " + sql + "; " + appends + "; COMMIT");
    }
  }

  @ParameterizedTest
  @EnumSource
  void ownerThatStartedNow(Reset reset) throws Exception {
    try (StoreBench bench = new StoreBench()) {
      bench.append("k", 1, 50);
      Relay relay = bench.relay(bench.clock, Start.NOW);
      publishes(bench, relay, 0);
      reset.on(bench, 80);
      refuses(bench, relay);
      publishesAllOnceMoved(bench, relay, 80);
    }
  }

  @ParameterizedTest
  @EnumSource
  void successorInAMovedSubscription(Reset reset) throws Exception {
    for (Start start : List.of(Start.NOW, Start.at(41))) {
      try (StoreBench bench = new StoreBench()) {
        Relay first = bench.relay();
        bench.append("k", 1, 50);
        publishes(bench, first, 50);
        handOver(bench, first);
        move(bench, start);
        reset.on(bench, 80);
        Relay second = bench.relay();
        refuses(bench, second);
        publishesAllOnceMoved(bench, second, 80);
      }
    }
  }

  /** Neither does a hole at the highest position hide it: the message before it tells. */
  @ParameterizedTest
  @EnumSource
  void ownerThatStartedAboveAHole(Reset reset) throws Exception {
    try (StoreBench bench = new StoreBench()) {
      bench.append("k", 1, 50);
      rollBack(bench, 5);
      Relay relay = bench.relay(bench.clock, Start.at(54));
      publishes(bench, relay, 0);
      reset.on(bench, 80);
      refuses(bench, relay);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ownerThatStartedAboveAPurge(Reset reset) throws Exception {
    for (boolean isAllPurged : new boolean[] {false, true}) {
      try (StoreBench bench = new StoreBench()) {
        Relay first = bench.relay();
        bench.append("k", 1, 50);
        publishes(bench, first, 50);
        purge(bench);
        if (!isAllPurged) {
          bench.append("k", 51, 60);
        }
        move(bench, Start.EARLIEST);
        Relay second = bench.relay();
        reset.on(bench, 80);
        refuses(bench, second);
        publishesAllOnceMoved(bench, second, 80);
      }
    }
  }

  /** It polls before it saves, so it begins again, and has settled nothing. */
  @ParameterizedTest
  @EnumSource
  void ownerThatHasReadAndNotSaved(Reset reset) throws Exception {
    try (StoreBench bench = new StoreBench()) {
      Relay relay = bench.relay();
      readsAndIsReset(bench, relay, reset);
      publishes(bench, relay, 130);
    }
  }

  /** There is no room for more, so it saves without another poll. A restart fences the save. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RESTART")
  void ownerThatSavesWhatItHasReadOfTheOldLedger(Reset reset) throws Exception {
    try (StoreBench bench = new StoreBench()) {
      bench.options =
          StoreBench.options()
              .polling(p -> p.withPageMessagesMax(50))
              .window(w -> w.withMessages(50))
              .build();
      Relay relay = bench.relay();
      readsAndIsReset(bench, relay, reset);
      refuses(bench, relay);
      publishesAllOnceMoved(bench, relay, 80);
    }
  }

  private static void readsAndIsReset(StoreBench bench, Relay relay, Reset reset) throws Exception {
    bench.append("k", 1, 50);
    bench.publisher.holdOutcomes();
    while (bench.published().isEmpty()) {
      relay.step();
    }
    assertThat(bench.published()).hasSize(50);
    reset.on(bench, 80);
    bench.publisher.releaseOutcomes();
  }

  /** The new ledger has no message at the position of the one that was known of the old. */
  @ParameterizedTest
  @EnumSource
  void ownerOfAMessageWhoseNumberIsAHoleNow(Reset reset) throws Exception {
    for (boolean isPurged : new boolean[] {false, true}) {
      try (StoreBench bench = new StoreBench()) {
        Relay relay = ownerThatHasPublished(bench, isPurged);
        reset.withAHoleOn(bench, 50, 80);
        refuses(bench, relay);
        assertThat(purge(bench)).isZero();
        publishesAllOnceMoved(bench, relay, 80);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void successorOfOneWhoKnewAMessageWhoseNumberIsAHoleNow(Reset reset) throws Exception {
    for (boolean isPurged : new boolean[] {false, true}) {
      try (StoreBench bench = new StoreBench()) {
        Relay first = ownerThatHasPublished(bench, isPurged);
        handOver(bench, first);
        reset.withAHoleOn(bench, 50, 80);
        assertThat(purge(bench)).isZero();
        Relay second = bench.relay();
        refuses(bench, second);
        publishesAllOnceMoved(bench, second, 80);
      }
    }
  }

  private static Relay ownerThatHasPublished(StoreBench bench, boolean isPurged) throws Exception {
    Relay owner = bench.relay();
    bench.append("k", 1, 50);
    publishes(bench, owner, 50);
    assertThat(isPurged ? purge(bench) : 50).isEqualTo(50);
    return owner;
  }

  @ParameterizedTest
  @EnumSource
  void whatWasPurgedOfTheOldLedgerIsNotPurgedOfTheNew(Reset reset) throws Exception {
    for (Start start : List.of(Start.EARLIEST, Start.at(1), Start.at(Instant.EPOCH))) {
      try (StoreBench bench = new StoreBench()) {
        Relay relay = bench.relay();
        bench.append("k", 1, 50);
        publishes(bench, relay, 50);
        assertThat(purge(bench)).isEqualTo(50);
        reset.on(bench, 80);
        refuses(bench, relay);
        Subscriptions.of(bench.database.dataSource(), "public")
            .move(StoreBench.SUBSCRIPTION, start);
        publishes(bench, relay, 130);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nowIsTheNewLedgersEnd(Reset reset) throws Exception {
    try (StoreBench bench = new StoreBench()) {
      Relay relay = bench.relay();
      bench.append("k", 1, 50);
      publishes(bench, relay, 50);
      purge(bench);
      reset.on(bench, 20);
      refuses(bench, relay);
      move(bench, Start.NOW);
      bench.append("k", 1, 10);
      publishes(bench, relay, 60);
    }
  }

  @ParameterizedTest
  @EnumSource
  void newSubscriptionReadsAllOfTheNewLedger(Reset reset) throws Exception {
    try (StoreBench bench = new StoreBench()) {
      bench.append("k", 1, 50);
      publishes(bench, bench.relay(), 50);
      purge(bench);
      reset.on(bench, 80);
      try (RelayStore other = bench.database.store("other")) {
        assertThat(OwnerByHand.of(other).readAndSettle().messages()).hasSize(80);
      }
    }
  }

  /** A writer that is still open has drawn the new ledger's first numbers. */
  @ParameterizedTest
  @EnumSource
  void messageThatIsCommittedLateInTheNewLedgerIsPublished(Reset reset) throws Exception {
    for (int messages : new int[] {10, 60}) { // below the old mark, and above it
      try (StoreBench bench = new StoreBench();
          Connection late = bench.begin()) {
        Relay relay = bench.relay();
        bench.append("k", 1, 50);
        publishes(bench, relay, 50);
        purge(bench);
        reset.on(bench, 0);
        bench.append(late, "late", 1, 3);
        bench.append("k", 1, messages);
        refuses(bench, relay);
        move(bench, Start.EARLIEST);
        publishes(bench, relay, 50 + messages);
        late.commit();
        publishes(bench, relay, 50 + messages + 3);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void newLedgerIsPurgedFromItsBeginningAndNotBeforeTheSubscriptionIsMoved(Reset reset)
      throws Exception {
    for (int messages : new int[] {80, 30}) { // above the old mark, and below it
      try (StoreBench bench = new StoreBench()) {
        Relay relay = bench.relay();
        bench.append("k", 1, 50);
        publishes(bench, relay, 50);
        assertThat(purge(bench)).isEqualTo(50);
        reset.on(bench, messages);
        refuses(bench, relay);
        assertThat(purge(bench)).isZero();
        publishesAllOnceMoved(bench, relay, messages);
        assertThat(purge(bench)).isEqualTo(messages);
        bench.append("k", 1, 10);
        publishes(bench, relay, 50 + messages + 10);
        handOver(bench, relay);
        bench.append("k", 11, 40);
        publishes(bench, bench.relay(), 50 + messages + 40);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsPurgedOfALedgerThatWasReset(Reset reset) throws Exception {
    try (StoreBench bench = new StoreBench()) {
      Relay relay = bench.relay();
      bench.append("k", 1, 50);
      publishes(bench, relay, 50);
      reset.on(bench, 80);
      assertThat(purge(bench)).isZero();
      refuses(bench, relay);
      publishesAllOnceMoved(bench, relay, 80);
    }
  }

  /** Its position belongs to another message now, which is there at once, or comes later. */
  @ParameterizedTest
  @EnumSource
  void deadLetterOfTheOldLedgerHidesNoMessageOfTheNewAndStays(Reset reset) throws Exception {
    for (int messages : new int[] {80, 30}) {
      try (StoreBench bench = new StoreBench()) {
        Relay relay = bench.relay();
        bench.append("k", 1, 49);
        bench.append("poison", 50, 50);
        bench.publisher.rejectWhen(
            message -> "poison".equals(message.key()),
            new Outcome.Rejected("no", Outcome.Rejected.Kind.FINAL));
        bench.steps(relay, 10);
        bench.publisher.acceptAll();
        bench.publisher.clear();
        reset.on(bench, messages);
        refuses(bench, relay);
        move(bench, Start.EARLIEST);
        publishes(bench, relay, messages);
        bench.append("later", 1, 40);
        publishes(bench, relay, messages + 40);
        assertThat(
                bench.database.query("SELECT position, message_key, state FROM outledger_parked"))
            .containsExactly("50|poison|dead");
      }
    }
  }

  private static void publishes(StoreBench bench, Relay relay, int count) {
    bench.steps(relay, 10);
    assertThat(bench.published()).hasSize(count);
  }

  private static void refuses(StoreBench bench, Relay relay) {
    assertThatThrownBy(() -> bench.steps(relay, 10))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("OUT-007", "move the subscription");
  }

  /** Moves as the error says, and expects all that is there to come. */
  private static void publishesAllOnceMoved(StoreBench bench, Relay relay, int count)
      throws SQLException {
    int before = bench.published().size();
    move(bench, Start.EARLIEST);
    publishes(bench, relay, before + count);
    assertThat(
            bench.database.number(
                "SELECT count(*) FROM outledger_published WHERE published_by IS NULL"))
        .isZero();
  }

  private static void handOver(StoreBench bench, Relay relay) {
    relay.handOver();
    bench.steps(relay, 2);
  }

  private static void move(StoreBench bench, Start start) {
    Subscriptions all = Subscriptions.of(bench.database.dataSource(), "public");
    if (start instanceof Start.Now) {
      all.skip(StoreBench.SUBSCRIPTION, start);
    } else {
      all.move(StoreBench.SUBSCRIPTION, start);
    }
  }

  private static long purge(StoreBench bench) {
    return Retention.of(bench.database.dataSource(), "public", InboxRetention.DEFAULT)
        .purgeMessages(Duration.ZERO);
  }

  private static void rollBack(StoreBench bench, int messages) throws SQLException {
    try (Connection connection = bench.begin()) {
      bench.append(connection, "gone", 1, messages);
      connection.rollback();
    }
  }
}
