// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.frontier.Positions;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.Subscriptions;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/**
 * What an operator and an owner can do, each to be done beside any other, and what must hold after
 * that, counted by SQL.
 */
final class AdministrationRaces {

  static final int MESSAGES = 200;
  private static final int DEAD = 20;
  private static final Instant MIDDLE = Instant.parse("2001-01-01T00:01:40Z");

  /** What may be answered instead of an outcome, because the other one was faster. */
  private static final Set<ErrorCode> EXPECTED =
      Set.of(
          ErrorCode.POSITION_PURGED,
          ErrorCode.INVALID_CONFIGURATION, // a move that would pass over something
          ErrorCode.UNKNOWN_SUBSCRIPTION,
          ErrorCode.SUBSCRIPTION_RUNNING);

  private final StoreDatabase database;
  private final DataSource pool;

  AdministrationRaces(StoreDatabase database, DataSource pool) {
    this.database = database;
    this.pool = pool;
  }

  Map<String, Callable<Object>> operations() {
    Subscriptions subscriptions = Subscriptions.of(pool, "public");
    ParkedMessages parked = ParkedMessages.of(pool, "public", "kafka");
    Retention retention = Retention.of(pool, "public", InboxRetention.DEFAULT);
    Map<String, Callable<Object>> all = new LinkedHashMap<>();
    all.put("make", () -> make("other", Start.EARLIEST));
    all.put("make by time", () -> make("other", Start.at(MIDDLE)));
    all.put("move back", () -> subscriptions.move("kafka", Start.at(50)));
    all.put("move back by time", () -> subscriptions.move("kafka", Start.at(MIDDLE)));
    all.put("skip to now", () -> subscriptions.skip("kafka", Start.NOW));
    all.put("delete", () -> delete(subscriptions));
    all.put("retry", parked::retryAll);
    all.put("discard", () -> parked.discard(2, ""));
    all.put("purge messages", () -> retention.purgeMessages(Duration.ZERO));
    all.put("purge inbox", () -> retention.purgeInbox(Duration.ofDays(14)));
    all.put("own and save", this::ownAndSave);
    return all;
  }

  private Object make(String name, Start start) {
    try (RelayStore store = new Stores(pool).relayStore(name, start, StoreDatabase.LEASE)) {
      return store.look();
    }
  }

  private static Object delete(Subscriptions subscriptions) {
    subscriptions.delete("kafka");
    return "deleted";
  }

  private Object ownAndSave() {
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      for (int i = 0; i < 5; i++) {
        owner.save(List.of(), Positions.NONE);
      }
      return owner.n;
    }
  }

  /** Makes everything as it is before each race: all is settled, some messages are dead letters. */
  void reset() throws SQLException {
    database.execute(
        """
        BEGIN READ WRITE;
        TRUNCATE outledger_message, outledger_cursor, outledger_hole_block, outledger_parked,
                 outledger_attempt, outledger_late, outledger_inbox;
        UPDATE outledger_retention SET purged_to = 0;
        ALTER SEQUENCE outledger_message_position RESTART;
        INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)
        SELECT '2001-01-01Z'::timestamptz + i * interval '1 s', gen_random_uuid(), 1, 't', 'k' || i,
               't', '' FROM generate_series(1, %1$d) i;
        INSERT INTO outledger_cursor (subscription, n, incarnation, lease_millis, high)
        VALUES ('kafka', 1, gen_random_uuid(), 1000, %1$d);
        INSERT INTO outledger_inbox
        SELECT date_part('epoch', now() - interval '10 days' * (i %% 3)) / 60, 1, md5(i::text)::uuid
          FROM generate_series(1, 30) i;
        %2$s;
        COMMIT\
        """
            .formatted(MESSAGES, dead("kafka", DEAD)));
  }

  static String dead(String subscription, int count) {
    return """
    INSERT INTO outledger_parked (subscription, position, route, state, blocks, attempts, time, id,
                                  version, topic, type, payload)
    SELECT '%s', i, '', 'dead', false, 1, now(), gen_random_uuid(), 1, 't', 't', ''
      FROM generate_series(1, %d) i\
    """
        .formatted(subscription, count);
  }

  /** Runs it, and takes for an outcome that the other one was faster. */
  static Object outcome(Callable<Object> operation) throws Exception {
    try {
      return operation.call();
    } catch (ConfigurationException e) {
      assertThat(e.code()).isIn(EXPECTED);
      return e.code();
    } catch (NoSuchElementException e) {
      return "another one took the lease";
    }
  }

  void assertNothingIsLost(String race) throws SQLException {
    long purgedTo = database.number("SELECT purged_to FROM outledger_retention");
    assertThat(database.number("SELECT count(*) FROM outledger_message"))
        .as("%s: all but the purged are there", race)
        .isEqualTo(MESSAGES - purgedTo);
    assertThat(
            database.query(
                """
                SELECT s.subscription, s.high, h.first_position FROM outledger_subscription s
                  LEFT JOIN outledger_hole h USING (subscription, partition_no)
                 WHERE least(coalesce(s.open_first[1], s.high + 1), h.first_position) <= %d\
                """
                    .formatted(purgedTo)))
        .as("%s: nothing that a subscription has still to read was purged", race)
        .isEmpty();
    assertThat(
            database.query(
                "SELECT count(*), count(DISTINCT n) FROM outledger_cursor WHERE subscription ="
                    + " 'kafka' GROUP BY subscription HAVING count(*) <> max(n) AND NOT"
                    + " bool_or(gone)"))
        .as("%s: no number is missing", race)
        .isEmpty();
    boolean isDeleted = database.number("SELECT count(*) FROM outledger_cursor WHERE gone") > 0;
    assertThat(database.number("SELECT count(*) FROM outledger_parked WHERE state = 'dead'"))
        .as("%s: the dead letters are there, unless their subscription was deleted", race)
        .isEqualTo(isDeleted ? 0 : DEAD);
    assertThat(
            database.number(
                "SELECT count(*) FROM outledger_processed WHERE processed_at > now() - interval '14"
                    + " days'"))
        .as("%s: inboxes remember", race)
        .isEqualTo(20);
  }
}
