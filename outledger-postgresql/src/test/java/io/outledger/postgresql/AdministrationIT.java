// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.LedgerSight;
import io.outledger.jdbc.spi.MoveRequest;
import io.outledger.jdbc.sql.CursorPlacing;
import io.outledger.jdbc.sql.Ledger;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.servers.Await;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator does waits for what is being done, and takes nothing from a running relay. */
class AdministrationIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String WAITING =
      """
      SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'\
      """;
  private static final String LAPSE =
      "UPDATE outledger_cursor SET lease_until = clock_timestamp() - interval '1 s'";

  private final StoreDatabase database = StoreDatabase.create();
  private final Subscriptions subscriptions = Subscriptions.of(database.dataSource(), "public");

  /** The purge has its first statement behind it when the move commits. */
  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void purgeWaitsForAMoveBackAndSeesIt(String isolation) throws Exception {
    database.execute(
        "ALTER DATABASE %s SET default_transaction_isolation = '%s'"
            .formatted(database.name(), isolation));
    database.execute(StoreDatabase.append(10));
    try (RelayStore store = database.store("kafka");
        Connection mover = database.connect()) {
      OwnerByHand.of(store).readAndSettle();
      mover.setAutoCommit(false);
      Tables tables = new Tables("public");
      new Ledger(tables).lockRetention(mover);
      MoveRequest back = new MoveRequest(new Move("kafka", Start.at(4)), Optional.empty());
      Moved moved =
          new CursorPlacing(tables, new CursorKey("kafka", 0))
              .move(mover, back, LedgerSight.SAME)
              .orElseThrow()
              .moved();
      assertThat(moved.isBack()).isTrue();
      CompletableFuture<Long> purging =
          CompletableFuture.supplyAsync(
              () ->
                  Retention.of(database.dataSource(), "public", InboxRetention.DEFAULT)
                      .purgeMessages(Duration.ZERO));
      Await.until(
          "it waits, or is done", PATIENCE, () -> purging.isDone() || database.number(WAITING) > 0);
      mover.commit();
      assertThat(purging.get(30, TimeUnit.SECONDS)).isEqualTo(3);
      assertThat(database.number("SELECT min(position) FROM outledger_message")).isEqualTo(4);
    }
  }

  @Test
  void subscriptionIsNotDeletedWhileARelayHasALeaseOnIt() throws SQLException {
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      owner.readAndSettle();
      refused(ErrorCode.SUBSCRIPTION_RUNNING);
      assertThat(database.admin().subscriptions()).hasSize(1);
      database.execute(LAPSE);
      subscriptions.delete("kafka");
      assertThat(database.admin().subscriptions()).isEmpty();
      refused(ErrorCode.UNKNOWN_SUBSCRIPTION);
      assertThatThrownBy(() -> subscriptions.skip("kafka", Start.NOW))
          .hasMessageContaining("OUT-025");
    }
  }

  /** Even one whose save has hung in the server since before the deletion meets its number. */
  @Test
  void subscriptionMadeAnewNeverUsesANumberAgain() throws SQLException {
    try (RelayStore store = database.store("kafka");
        RelayStore recreated = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      database.execute(LAPSE);
      subscriptions.delete("kafka");
      assertThat(recreated.look().n()).isGreaterThan(owner.n + 1);
      assertThat(database.query("SELECT taken FROM outledger_cursor WHERE n = " + (owner.n + 1)))
          .containsExactly("t");
    }
  }

  @Test
  void relayWhoseSubscriptionIsDeletedStopsAndPublishesNothingAgain() throws Exception {
    database.execute(StoreDatabase.append(3));
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        RunningRelay relay = outledger.relay("kafka").to(publisher).start()) {
      Await.until("all is published", PATIENCE, () -> publisher.messages().size() == 3);
      Await.until("it is deleted between two renewals", PATIENCE, this::lapsesAndIsDeleted);
      Await.until("it stops", PATIENCE, () -> relay.state() == StepReport.State.RELEASED);
      assertThat(publisher.messages()).hasSize(3);
      assertThat(database.admin().subscriptions()).isEmpty();
    }
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        RunningRelay relay = outledger.relay("kafka").to(publisher).start()) {
      Await.until(
          "a relay started afterwards creates it again",
          PATIENCE,
          () -> publisher.messages().size() == 6 && relay.state() == StepReport.State.OWNER);
    }
  }

  @Test
  void relayThatStandsByStopsAsWell() throws Exception {
    RecordingPublisher publisher = new RecordingPublisher();
    try (RelayStore store = database.store("kafka");
        Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      OwnerByHand owner = OwnerByHand.of(store);
      try (Relay standby = outledger.relay("kafka").to(publisher).build()) {
        assertThat(standby.step().state()).isEqualTo(StepReport.State.STANDBY);
        database.execute(LAPSE);
        subscriptions.delete("kafka");
        assertThatThrownBy(standby::step)
            .isInstanceOfSatisfying(
                ConfigurationException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION));
        assertThat(database.admin().subscriptions()).isEmpty();
        assertThat(database.number("SELECT max(n) FROM outledger_cursor")).isEqualTo(owner.n + 1);
      }
    }
  }

  /** While a dump is loaded, its tables are there before their rows are. */
  @Test
  void relayWhoseSubscriptionIsMissingWaitsUntilItIsThereAgain() throws Exception {
    database.execute(StoreDatabase.append(3));
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        RunningRelay relay = outledger.relay("kafka").to(publisher).start()) {
      Await.until("all is published", PATIENCE, () -> publisher.messages().size() == 3);
      Await.until(
          "all is saved",
          PATIENCE,
          () -> database.admin().subscriptions().get(0).cursor().high() == 3);
      database.execute("CREATE TABLE dump AS TABLE outledger_cursor; TRUNCATE outledger_cursor");
      Await.until("it looks for it", PATIENCE, () -> relay.state() == StepReport.State.RECOVERING);
      assertThat(database.admin().subscriptions()).isEmpty();
      database.execute("INSERT INTO outledger_cursor SELECT * FROM dump");
      database.execute(StoreDatabase.append(2));
      Await.until("it goes on", PATIENCE, () -> publisher.messages().size() == 5);
    }
  }

  private boolean lapsesAndIsDeleted() throws SQLException {
    database.execute(LAPSE);
    try {
      subscriptions.delete("kafka");
      return true;
    } catch (ConfigurationException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.SUBSCRIPTION_RUNNING);
      return false;
    }
  }

  private void refused(ErrorCode code) {
    assertThatThrownBy(() -> subscriptions.delete("kafka"))
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
