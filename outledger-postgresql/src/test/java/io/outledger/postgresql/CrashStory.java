// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.ParkedMessages;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.Relay;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher.Arrival;
import io.outledger.testing.SettableClock;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A ledger with everything that makes a relay call its store and its publisher, an owner that meets
 * a mishap, and one that stands by. One thread moves all of them, and the owners' clocks.
 */
final class CrashStory implements AutoCloseable {

  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration BRIEF = Duration.ofMillis(200);

  /** Of the database's clock, which nobody moves. */
  private static final Duration RETRY = Duration.ofMillis(100);

  private static final Duration LONG = Duration.ofMillis(2_500);
  private static final int TURNS_MAX = 500;

  /** Of all positions that can be read, those that the newest cursor row has not settled. */
  private static final String UNSETTLED =
      """
      WITH c AS (
        SELECT coalesce(high, 0) AS high, open_first, open_last FROM outledger_cursor
         ORDER BY n DESC LIMIT 1),
      open AS (
        SELECT first, last FROM c, unnest(c.open_first, c.open_last) AS o (first, last)
        UNION ALL SELECT first_position, last_position FROM outledger_hole)
      SELECT position FROM outledger_message m
       WHERE position > (SELECT high FROM c)
          OR EXISTS (SELECT FROM open WHERE m.position BETWEEN first AND last)
          OR EXISTS (SELECT FROM outledger_parked p WHERE p.position = m.position)\
      """;

  private static final String TERMINATE =
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'outledger relay%'\
      """;

  private static final String SESSIONS =
      """
      SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'outledger relay%'\
      """;

  /** One database for all of them, emptied for each: to make one took most of the time. */
  private static final String EMPTY =
      """
      TRUNCATE outledger_message, outledger_cursor, outledger_hole_block, outledger_parked,
        outledger_attempt, outledger_late
        RESTART IDENTITY\
      """;

  private final StoreBench bench;
  private final Connection looker;
  private final SettableClock ownersClock = new SettableClock();
  private final SettableClock othersClock = new SettableClock();
  private final Connection writer;
  private final CrashPoint point;
  private final Relay owner;
  private final Relay other;
  private final Map<String, Integer> appended = new HashMap<>();
  private boolean isHalted;
  private boolean isSick = true;
  private Set<Long> mayRepeat = Set.of();

  CrashStory(StoreDatabase database, String call, Mishap mishap) throws SQLException {
    bench = new StoreBench(database);
    looker = database.connect();
    query(EMPTY);
    writer = bench.begin();
    bench.options =
        StoreBench.options()
            .lease(LEASE)
            .holes(h -> h.withOpenRangesMax(8))
            .retry(RetryPolicy.DEFAULT.withBackoff(new Backoff(RETRY, RETRY)))
            .build();
    bench.publisher.rejectWhen(
        message -> "bad".equals(message.key()), new Rejected("never", Rejected.Kind.FINAL));
    bench.publisher.rejectWhen(
        message -> isSick && "sick".equals(message.key()),
        new Rejected("for now", Rejected.Kind.DEFINITE));
    this.point = new CrashPoint(call, mishap, this::happens);
    this.owner =
        bench.relay(
            ownersClock,
            point.before(
                bench.database.stores().relayStore(StoreBench.SUBSCRIPTION, Start.EARLIEST, LEASE)),
            point.before(bench.publisher));
    this.other = bench.relay(othersClock, Start.EARLIEST);
  }

  /** Tells the story, with the mishap from the start or from amid the work on. */
  void tell(boolean fromTheStart) throws SQLException {
    if (fromTheStart) {
      point.arm();
    }
    append("a", 3);
    append("b", 2);
    turns(3, BRIEF);
    if (!fromTheStart) {
      point.arm();
    }
    try (Connection late = bench.begin()) {
      bench.append(late, "late", 1, 1);
      rollBackBetweenOthers();
      append("sick", 3);
      append("bad", 2);
      append("a", 2);
      turns(8, BRIEF); // beyond a second, from which on it is asked who writes
      late.commit();
      appended.put("late", 1);
    }
    isSick = false;
    append("late", 1);
    append("b", 3);
    turns(25, LONG); // beyond a minute, in which parked messages are tried and rows are purged
    discardTheDead();
    drain();
  }

  private void rollBackBetweenOthers() throws SQLException {
    for (int i = 0; i < 9; i++) {
      bench.append(writer, "ghost", i, i);
      writer.rollback();
      append("b", 1);
    }
  }

  private void append(String key, int count) throws SQLException {
    int last = appended.getOrDefault(key, 0);
    bench.append(writer, key, last + 1, last + count);
    writer.commit();
    appended.put(key, last + count);
  }

  private void turns(int count, Duration each) {
    for (int i = 0; i < count; i++) {
      turn(each);
    }
  }

  private void turn(Duration time) {
    if (!isHalted) {
      try {
        owner.step();
      } catch (CrashPoint.Halted e) {
        isHalted = true;
      } catch (DestinationUnavailableException e) {
        // A publisher that throws where it must not: told, and the relay goes on with its next
        // step.
        assertThat(point.happened()).isTrue();
      }
    }
    other.step();
    ownersClock.advance(time);
    othersClock.advance(time);
  }

  private void happens(Mishap mishap, boolean atStore) {
    try {
      mayRepeat = unsettled(mishap);
      if (mishap == Mishap.FAILS && atStore) {
        query(TERMINATE);
        Await.until(
            "their sessions have ended", LONG.multipliedBy(10), () -> number(SESSIONS) == 0);
      } else if (mishap.isStall()) {
        succeed();
        if (mishap == Mishap.SLEPT_AFTER) {
          ownersClock.advance(LEASE.multipliedBy(3));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The other one takes over and works for a while, while the owner is paused. */
  private void succeed() {
    for (int i = 0; i < 12; i++) {
      other.step();
      othersClock.advance(LONG);
    }
  }

  /** One that was paused may send once more what it could read; any other what it had sent. */
  private Set<Long> unsettled(Mishap mishap) throws SQLException {
    Set<Long> unsettled = query(UNSETTLED).stream().map(Long::valueOf).collect(Collectors.toSet());
    if (!mishap.isStall()) {
      unsettled.retainAll(bench.publisher.positions());
    }
    return unsettled;
  }

  private void discardTheDead() throws SQLException {
    ParkedMessages parked =
        ParkedMessages.of(bench.database.dataSource(), "public", StoreBench.SUBSCRIPTION);
    for (String dead : query("SELECT position, route FROM outledger_parked WHERE state = 'dead'")) {
      String[] row = dead.split("\\|", -1);
      parked.discard(Long.parseLong(row[0]), row[1]);
    }
  }

  private void drain() throws SQLException {
    for (int i = 0; i < TURNS_MAX && !isDrained(); i++) {
      turns(4, LONG);
      discardTheDead();
    }
    assertThat(isDrained()).as("drained: " + lag() + ", " + bench.events).isTrue();
  }

  private boolean isDrained() throws SQLException {
    return lag().equals("0|0") && number("SELECT count(*) FROM outledger_parked") == 0;
  }

  private String lag() throws SQLException {
    return query("SELECT behind, open_ranges FROM outledger_lag").get(0);
  }

  private long number(String sql) throws SQLException {
    return Long.parseLong(query(sql).get(0));
  }

  /** Returns the rows, their columns joined by a bar. */
  private List<String> query(String sql) throws SQLException {
    try (Statement statement = looker.createStatement()) {
      return statement.execute(sql) ? StoreDatabase.rows(statement.getResultSet()) : List.of();
    }
  }

  void assertThatItHappened() {
    assertThat(point.happened()).as("the point was reached").isTrue();
  }

  /** Everything committed arrived, except what was rejected for good, and nothing else did. */
  void assertThatNothingIsLostOrInvented() {
    Set<String> wanted = new TreeSet<>();
    appended.forEach(
        (key, last) -> {
          for (int i = 1; i <= last; i++) {
            wanted.add(key + i);
          }
        });
    wanted.removeIf(payload -> payload.startsWith("bad"));
    assertThat(new TreeSet<>(bench.published())).isEqualTo(wanted);
  }

  void assertThatFirstArrivalsAreInOrder() {
    Map<String, List<String>> keys = new HashMap<>();
    for (Arrival arrival : bench.publisher.arrivals()) {
      String key = String.valueOf(arrival.message().key());
      String payload = new String(arrival.message().payload(), StandardCharsets.UTF_8);
      List<String> first = keys.computeIfAbsent(key, k -> new ArrayList<>());
      if (!first.contains(payload)) {
        first.add(payload);
      }
    }
    keys.forEach(
        (key, payloads) -> {
          for (int i = 0; i < payloads.size(); i++) {
            assertThat(payloads.get(i)).isEqualTo(key + (i + 1));
          }
        });
  }

  /** What was unsettled when it happened may have come once more, and nothing else. */
  void assertThatDuplicatesAreBounded() {
    Map<Long, Integer> times = new HashMap<>();
    bench.publisher.positions().forEach(position -> times.merge(position, 1, Integer::sum));
    times.forEach(
        (position, count) ->
            assertThat(count)
                .as("arrivals of %d", position)
                .isLessThanOrEqualTo(mayRepeat.contains(position) ? 2 : 1));
  }

  /** Who has been succeeded changes nothing any more. */
  void assertThatNobodyWroteAfterItsSuccessor() throws SQLException {
    List<String> owners = new ArrayList<>();
    for (String owner : query("SELECT incarnation FROM outledger_cursor ORDER BY n")) {
      if (owners.isEmpty() || !owners.get(owners.size() - 1).equals(owner)) {
        owners.add(owner);
      }
    }
    assertThat(owners).doesNotHaveDuplicates();
  }

  @Override
  public void close() throws SQLException {
    try (looker;
        writer) {
      bench.close();
    }
  }
}
