// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Standing;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RelayStatus.State;
import io.outledger.jdbc.spi.StatusStore.Entry;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The views tell the truth about each state that a message can be in. */
abstract class ViewContractTests extends DatabaseContractTests {

  private static final String LAG =
      "SELECT subscription, state, reason, high, behind, oldest_state, open_ranges, retrying, held,"
          + " dead, CASE WHEN running THEN 'runs' ELSE 'rests' END FROM outledger_lag";

  @Test
  final void eachStateIsPendingOrFailedAndCounted() {
    append("a", "b", "c", "d", "e", "f");
    Owner owner = owner();
    List<Long> at = read(owner);
    settle(owner);
    append("g", "h");
    owner.save(
        ParkedRows.park(at.get(1), "b", ParkedState.RETRYING, LONG),
        ParkedRows.park(at.get(2), "c", ParkedState.HELD, null),
        ParkedRows.park(at.get(3), "d", ParkedState.DEAD, null));
    Positions open = Positions.of(at.get(4), at.get(5));
    owner.saveOverflow(new Frontier(owner.frontier().high(), open), Positions.of(at.get(4)));
    assertThat(rows("SELECT state FROM outledger_pending ORDER BY position"))
        .containsExactly("retrying", "held", "in flight", "in flight", "waiting", "waiting");
    assertThat(rows("SELECT state, error FROM outledger_failed ORDER BY position"))
        .containsExactly("retrying|the broker said no", "dead|the broker said no");
    assertThat(rows(LAG))
        .containsExactly(
            SUBSCRIPTION
                + "|null|null|"
                + owner.frontier().high()
                + "|2|waiting|2|1|1|1|runs"); // those parked were made later than what is in flight
  }

  @Test
  final void ownersStatusAndTheLagOfASettledSubscriptionAreShown() {
    append("a");
    Owner owner = owner();
    settle(owner);
    RelayStatus running = new RelayStatus(State.RUNNING, null, owner.incarnation());
    RelayStatus waiting = new RelayStatus(State.STANDBY, "another one runs", null);
    CursorKey key = new CursorKey(SUBSCRIPTION, 0);
    database()
        .status(dataSource())
        .write(
            List.of(new Entry(key, "one", running, LONG), new Entry(key, "two", waiting, AT_ONCE)));
    long high = owner.frontier().high();
    assertThat(rows(LAG))
        .containsExactly(SUBSCRIPTION + "|running|null|" + high + "|0|null|0|0|0|0|runs");
    owner.release();
    RelayStatus before = new RelayStatus(State.REFUSED, "the schema is older", null);
    database()
        .status(dataSource())
        .write(
            List.of(
                new Entry(key, "zero", before, LONG.multipliedBy(2)),
                new Entry(key, "half", before, LONG.dividedBy(2)))); // while one ran
    assertThat(rows("SELECT instance, state FROM outledger_lag"))
        .containsExactly("one|was running");
    RelayStatus after = new RelayStatus(State.REFUSED, "the schema is newer", null);
    database().status(dataSource()).write(List.of(new Entry(key, "three", after, AT_ONCE)));
    assertThat(rows("SELECT instance, state, reason FROM outledger_lag"))
        .containsExactly("three|refused|the schema is newer");
    assertThat(count("SELECT count(*) FROM outledger_lag WHERE oldest_age = waiting_age"))
        .isEqualTo(1);
  }

  @Test
  final void whatAnOperatorHasPausedIsPendingAndPaused() {
    append("a", "b", "c", "d");
    Owner owner = owner();
    List<Long> at = read(owner);
    owner.save(
        owner
            .frontier()
            .readTo(at.get(2))
            .settle(Positions.of(at.get(1)))); // a and c are in flight, d waits
    LedgerMessage failed = messagesOf(owner).get(1);
    owner.save(ParkedRows.park(failed, "mail", ParkedState.RETRYING, LONG));
    String states = "SELECT state FROM outledger_pending ORDER BY position";
    assertThat(rows(states)).containsExactly("in flight", "retrying", "in flight", "waiting");
    pause(PauseScope.key("c"));
    pause(PauseScope.key("b"));
    assertThat(rows(states)).containsExactly("in flight", "paused", "paused", "waiting");
    assertThat(state(at.get(0))).isEqualTo(Standing.State.IN_FLIGHT);
    assertThat(state(at.get(1))).isEqualTo(Standing.State.PAUSED);
    assertThat(state(at.get(2))).isEqualTo(Standing.State.PAUSED);
    pause(PauseScope.subscription());
    assertThat(rows(states)).containsOnly("paused");
    assertThat(state(at.get(3))).isEqualTo(Standing.State.PAUSED);
    resume(PauseScope.subscription());
    resume(PauseScope.key("b"));
    resume(PauseScope.key("c"));
    pause(PauseScope.route("another"));
    assertThat(rows(states)).containsExactly("in flight", "retrying", "in flight", "waiting");
    pause(PauseScope.route(""));
    assertThat(rows(states)).containsExactly("paused", "retrying", "paused", "paused");
  }

  private void pause(PauseScope scope) {
    ask(new Verb.Pause(SUBSCRIPTION, scope));
  }

  private void resume(PauseScope scope) {
    ask(new Verb.Resume(SUBSCRIPTION, scope));
  }

  private void ask(Verb verb) {
    assertThat(process().requests().ask(verb.by("anna", "vendor down")).state())
        .isEqualTo(RequestState.DONE);
  }

  private Standing.State state(long position) {
    return process().admin().message(position).orElseThrow().standings().get(0).state();
  }

  @Test
  final void ledgerThatNobodyReadsIsShown() {
    assertThat(rows(LAG))
        .singleElement()
        .asString()
        .startsWith("null|unread|no subscription")
        .endsWith("|0|0|null|0|0|0|0|rests");
    append("a", "b");
    assertThat(rows(LAG)).hasSize(1).allMatch(row -> row.startsWith("null|unread|no subscription"));
    assertThat(count("SELECT count(*) FROM outledger_lag WHERE behind >= 2")).isEqualTo(1);
  }

  @Test
  final void payloadsAreShownAsTextAndEverythingElseAsDigits() {
    append(
        Stream.of(
                "{\"city\":\"Zürich\"}".getBytes(UTF_8),
                new byte[0],
                new byte[] {(byte) 0xc3, 0x28},
                new byte[] {'a', 0, 'b'},
                new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                "z".repeat(3_000_000).getBytes(UTF_8))
            .map(payload -> Message.to("t", "t").payload(payload).build())
            .toList());
    List<String> shown = rows("SELECT payload FROM outledger_readable ORDER BY position");
    assertThat(shown.subList(0, 5))
        .containsExactly("{\"city\":\"Zürich\"}", "", "\\xc328", "\\x610062", "\\xeda080");
    assertThat(shown.get(5)).hasSize(3_000_000);
  }

  @Test
  final void timesAreShownToTheMicrosecond() {
    append(List.of(of("2001-02-03T04:05:06.123456Z"), of("1969-12-31T23:59:59.000001Z")));
    List<String> shown = rows("SELECT time FROM outledger_readable ORDER BY position");
    assertThat(shown.get(0)).contains(":05:06.123456"); // the hour is that of the session's zone
    assertThat(shown.get(1)).contains(":59:59.000001");
  }

  /** Whoever appends may have any clock, and any time in a message: people are woken by an age. */
  @Test
  final void ageOfAMessageOfLongAgoCountsFromItsInsert() {
    agesCountFromTheInsert("2001-02-03T04:05:06Z");
  }

  @Test
  final void ageOfAMessageOfTheFutureCountsFromItsInsert() {
    agesCountFromTheInsert("2100-02-03T04:05:06Z");
  }

  private void agesCountFromTheInsert(String time) {
    append(List.of(of(time), of(time), of(time)));
    List<Long> at =
        LongStream.rangeClosed(
                count("SELECT MIN(position) FROM outledger_message"),
                count("SELECT MAX(position) FROM outledger_message"))
            .boxed()
            .toList();
    at.forEach(position -> appended(position, Duration.ofHours(2)));
    assertThat(process().admin().overview().ledger().age()).satisfies(this::isOfTwoHours);
    assertThat(seconds("oldest_age")).satisfies(this::isOfTwoHours);
    assertThat(seconds("waiting_age")).satisfies(this::isOfTwoHours);
    Owner owner = owner();
    assertThat(lag().oldest()).satisfies(this::isOfTwoHours);
    assertThat(lag().waiting()).satisfies(this::isOfTwoHours);
    owner.save(owner.frontier().readTo(at.get(2)).settle(Positions.of(at.get(0), at.get(1))));
    assertThat(lag().waiting()).satisfies(this::isOfTwoHours);
    owner.saveOverflow(owner.frontier().settle(Positions.of(at.get(2))), Positions.of(at.get(2)));
    assertThat(lag().waiting()).satisfies(this::isOfTwoHours);
    LedgerMessage failed = messagesOf(owner).get(0);
    owner.saveOverflow(owner.frontier(), Positions.NONE);
    owner.save(ParkedRows.park(failed, "", ParkedState.DEAD, null));
    assertThat(lag().oldestState()).isEqualTo("dead");
    assertThat(lag().oldest()).satisfies(this::isOfTwoHours);
    assertThat(lag().waiting()).isZero();
    execute("DELETE FROM outledger_message");
    assertThat(lag().oldest()).isBetween(Duration.ZERO, Duration.ofMinutes(30));
    assertThat(lag().oldestState()).isEqualTo("dead");
  }

  private SubscriptionState.Lag lag() {
    return process().admin().subscriptions().get(0).lag();
  }

  private Duration seconds(String age) {
    String seconds = database().adminReads(dataSource()).sql().seconds().formatted(age);
    return Duration.ofSeconds(count("SELECT " + seconds + " FROM outledger_lag"));
  }

  private void isOfTwoHours(Duration age) {
    assertThat(age).isBetween(Duration.ofMinutes(119), Duration.ofMinutes(150));
  }

  private static Message of(String time) {
    Message now = StoreContractTests.message("k");
    return Message.to(now.topic(), now.type()).time(Instant.parse(time)).build();
  }

  /** Returns the rows, their values joined. */
  private List<String> rows(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      List<String> all = new ArrayList<>();
      while (rows.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          values.add(String.valueOf(rows.getString(i)));
        }
        all.add(String.join("|", values));
      }
      return all;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
