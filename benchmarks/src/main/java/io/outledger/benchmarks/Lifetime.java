// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.DrainReport;
import io.outledger.relay.Relay;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A ledger's life, day after day: messages come, are published, and are removed some days later.
 * Where a server would have come by itself over the hours, with checkpoints and vacuum, it is sent:
 * a page that is changed on another day is written to the log as a whole.
 */
final class Lifetime {

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int A_STATEMENT = 1_000;

  // PostgreSQL 18 counts bytes, 16 and 17 operations of one size.
  private static final String WRITTEN =
      """
      SELECT sum(coalesce((to_jsonb(io) ->> 'write_bytes')::numeric,
                          io.writes::numeric * (to_jsonb(io) ->> 'op_bytes')::numeric))::bigint
        FROM pg_stat_io io WHERE io.object = 'relation'\
      """;

  private static final String WRITTEN_BEFORE_16 =
      """
      SELECT (buffers_checkpoint + buffers_clean + buffers_backend)
             * current_setting('block_size')::bigint
        FROM pg_stat_bgwriter\
      """;

  private static final String APPEND =
      """
      INSERT INTO outledger_message
             (time, appended_at, id, version, topic, message_key, type, payload)
      SELECT past.day, past.day, gen_random_uuid(), 1, 'orders',
             'order-' || i, 'order.placed',
             substring(noise.bytes FROM (i * 7919 % 1800) + 1 FOR 200)
        FROM (SELECT clock_timestamp() - ? * interval '1 day' AS day) AS past,
             generate_series(1, ?) AS i,
             (SELECT string_agg(uuid_send(gen_random_uuid()), '') AS bytes
                FROM generate_series(1, 125)) AS noise\
      """;

  private static final String SIZE =
      """
      SELECT sum(%s(c.oid))::bigint FROM pg_class c
       WHERE c.relname LIKE 'outledger\\_message%%' AND c.relkind = 'r'\
      """;

  private static final String DEAD =
      "SELECT sum(n_dead_tup)::bigint FROM pg_stat_user_tables"
          + " WHERE relname LIKE 'outledger\\_message%'";

  private final WaitingLedger ledger;
  private final Shelf shelf;
  private final LifetimePlan plan;
  private Costs append = Costs.NONE;
  private Costs relay = Costs.NONE;
  private Costs remove = Costs.NONE;

  Lifetime(Postgres server, Shelf shelf, LifetimePlan plan) {
    this.ledger = WaitingLedger.empty(server);
    this.shelf = shelf;
    this.plan = plan;
  }

  /**
   * What something took.
   *
   * @param seconds of the clock
   * @param walBytes written to the log
   * @param dataBytes written to the tables' files
   */
  record Costs(double seconds, double walBytes, double dataBytes) {

    static final Costs NONE = new Costs(0, 0, 0);

    Costs plus(Costs other) {
      return new Costs(
          seconds + other.seconds, walBytes + other.walBytes, dataBytes + other.dataBytes);
    }

    Costs minus(Costs other) {
      return plus(new Costs(-other.seconds, -other.walBytes, -other.dataBytes));
    }
  }

  /**
   * What was left at the end.
   *
   * @param rows in the ledger
   * @param dead rows that nobody needs and that take room
   * @param tableBytes of the rows alone
   * @param indexBytes of the primary key
   */
  record Left(long rows, long dead, long tableBytes, long indexBytes) {}

  /** All of it: what each part took, and what was left. */
  record Lived(Costs append, Costs relay, Costs remove, Left left) {}

  Lived live() throws SQLException, InterruptedException {
    try (Connection connection = ledger.connect();
        Outledger outledger = Outledger.builder(shelf.shown(ledger.dataSource())).build()) {
      shelf.make(connection, plan);
      for (int day = 0; day < plan.days(); day++) {
        append = append.plus(appended(connection, day));
        relay = relay.plus(relayed(connection, outledger));
        remove = remove.plus(removed(connection, day));
      }
      return new Lived(append, relay, remove, left());
    }
  }

  private Costs appended(Connection connection, int day) throws SQLException {
    Costs before = now(connection);
    try (PreparedStatement insert = connection.prepareStatement(APPEND)) {
      for (int done = 0; done < plan.perDay(); done += A_STATEMENT) {
        insert.setInt(1, plan.age(day));
        insert.setInt(2, Math.min(A_STATEMENT, plan.perDay() - done));
        insert.executeUpdate();
      }
    }
    return now(connection).minus(before);
  }

  /** At once, before any checkpoint, as in life: what it reads was just written. */
  private Costs relayed(Connection connection, Outledger outledger)
      throws SQLException, InterruptedException {
    Costs before = now(connection);
    try (Relay relaying = outledger.relay("month").to(AnswersAtOnce.PUBLISHED).build()) {
      DrainReport report = relaying.drain(PATIENCE);
      if (report.published() != plan.perDay()) {
        throw new IllegalStateException("a day's messages did not come: " + report);
      }
    }
    Sql.run(connection, "CHECKPOINT");
    return now(connection).minus(before);
  }

  private Costs removed(Connection connection, int day) throws SQLException {
    Costs before = now(connection);
    shelf.remove(ledger, plan, day);
    Sql.run(connection, "CHECKPOINT");
    Sql.run(connection, "VACUUM outledger_message");
    Sql.run(connection, "CHECKPOINT");
    return now(connection).minus(before);
  }

  private Costs now(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version >= 15) {
      Sql.run(connection, "SELECT pg_stat_force_next_flush()");
    }
    long written = ledger.number(version >= 16 ? WRITTEN : WRITTEN_BEFORE_16);
    return new Costs(System.nanoTime() / 1e9, ledger.walBytes(), written);
  }

  private Left left() throws SQLException {
    return new Left(
        ledger.number("SELECT count(*) FROM outledger_message"),
        ledger.number(DEAD),
        ledger.number(SIZE.formatted("pg_table_size")),
        ledger.number(SIZE.formatted("pg_indexes_size")));
  }
}
