// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.options.Backoff;
import io.outledger.servers.Await;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.testing.RecordingPublisher;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What waits, for how long and why, is shown to whoever asks the database. */
class StatusIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String STATE =
      "SELECT running, instance, state, reason FROM outledger_lag WHERE subscription = 'kafka'";
  private static final String HOUR_AGO =
      "UPDATE outledger_message SET appended_at = now() - interval '1 h'";

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void ledgerThatNobodyReadsIsShown() throws SQLException {
    assertThat(database.query("SELECT state, behind FROM outledger_lag"))
        .containsExactly("unread|0");
    database.execute(StoreDatabase.append(7));
    database.execute(HOUR_AGO);
    assertThat(
            database.query(
                "SELECT subscription, running, state, behind, oldest_age >= interval '1 h',"
                    + " reason LIKE '%start a relay%' FROM outledger_lag"))
        .containsExactly("null|f|unread|7|t|t");
    try (RelayStore store = database.store("kafka")) {
      store.look();
    }
    assertThat(database.query("SELECT subscription, behind FROM outledger_lag"))
        .containsExactly("kafka|7");
  }

  @ParameterizedTest
  @EnumSource(ParkedState.class)
  void messageThatHasBeenParkedForAnHourIsAnHourOld(ParkedState state) throws SQLException {
    database.execute(StoreDatabase.append(2));
    database.execute(HOUR_AGO);
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      List<LedgerMessage> messages = owner.readAndSettle().messages();
      owner.save(List.of(park(messages.get(1), state)), Positions.NONE);
      assertThat(
              database.query(
                  "SELECT oldest_age >= interval '1 h', oldest_state, waiting_age = interval '0'"
                      + " FROM outledger_lag"))
          .containsExactly("t|" + state.name().toLowerCase(java.util.Locale.ROOT) + "|t");
    }
  }

  private long changes() throws SQLException {
    return database.number(
        "SELECT n_tup_ins + n_tup_upd FROM pg_stat_user_tables"
            + " WHERE relname = 'outledger_status'");
  }

  @Test
  void relayShowsThatItWaitsAndWhyAndIsForgottenWhenItIsClosed() throws Exception {
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = Outledger.builder(database.dataSource()).instance("web-1").build();
        RunningRelay relay =
            outledger
                .relay("kafka")
                .options(
                    o ->
                        o.outage(
                            d ->
                                d.withProbes(
                                    new Backoff(Duration.ofMillis(5), Duration.ofMillis(50)))))
                .to(publisher)
                .start()) {
      shows("t|web-1|running|null");
      publisher.goDown();
      outledger.outbox().inNewTransaction(LiveRelay.message("k", "1"));
      shows("t|web-1|waiting|cannot reach the destination: ");
      Await.until("its changes are counted", LiveRelay.PATIENCE, () -> changes() > 0);
      assertThat(changes()).isLessThan(10);
      publisher.comeBack();
      shows("t|web-1|running|null");
      assertThat(relay.state()).isNotNull();
    }
    assertThat(database.number("SELECT count(*) FROM outledger_status")).isZero();
  }

  @Test
  void relayThatIsRefusedShowsTheCode() throws Exception {
    try (RelayStore store = database.store("kafka");
        Outledger outledger = Outledger.builder(database.dataSource()).instance("web-1").build()) {
      store.look();
      database.execute("ALTER SEQUENCE outledger_message_position CACHE 20");
      outledger.relay("kafka").to(new RecordingPublisher()).start();
      shows("f|web-1|refused|OUT-008 ");
    }
    assertThat(state()).startsWith("f|web-1|stopped|OUT-008 ");
  }

  /** A relay publishes on whatever becomes of the status table. */
  @Test
  void relayPublishesOnWhereItsStatusCannotBeWritten() throws Exception {
    database.execute("DROP VIEW outledger_lag; DROP TABLE outledger_status");
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        RunningRelay relay = outledger.relay("kafka").to(publisher).start()) {
      outledger.outbox().inNewTransaction(LiveRelay.message("k", "1"));
      Await.until("it is published", PATIENCE, () -> publisher.messages().size() == 1);
      assertThat(relay.state()).isNotNull();
    }
  }

  private void shows(String beginning) {
    Await.until(
        () -> beginning + " is shown, not " + state(),
        PATIENCE,
        () -> state().startsWith(beginning));
  }

  private String state() {
    try {
      List<String> rows = database.query(STATE);
      return rows.isEmpty() ? "nothing" : rows.get(0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ParkedChange park(LedgerMessage origin, ParkedState state) {
    @Nullable Duration retryIn = state == ParkedState.RETRYING ? Duration.ofHours(2) : null;
    return new ParkedChange.Park(
        new ParkedMessage(
            origin.position(), "", origin.message(), state, 1, true, null, false, 0, null),
        "no",
        retryIn);
  }
}
