// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.database;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** PostgreSQL's. */
final class PostgresSql implements ShopSql {

  /** How far back from the newest message effects are looked for. */
  private static final int NEWEST = 20_000;

  // The newest cursor row by its primary key; then parts of the ledger by its own, as many as there
  // are open ranges, and its newest part. Effects by the index on their message.
  private static final String STATE =
      """
      WITH c AS (
        SELECT incarnation, lease_until, coalesce(high, 0) AS high, open_first, open_last
          FROM outledger_cursor WHERE subscription = '%1$s'
         ORDER BY partition_no DESC, n DESC LIMIT 1),
      open AS (
        SELECT first, last FROM c, unnest(c.open_first, c.open_last) AS o (first, last)
        UNION ALL SELECT first_position, last_position FROM outledger_hole
                   WHERE subscription = '%1$s'),
      above AS (
        SELECT count(*) AS n FROM outledger_message
         WHERE position > coalesce((SELECT high FROM c), 0)),
      below AS (
        SELECT coalesce(sum(x.n), 0) AS n FROM open o, LATERAL (
          SELECT count(*) AS n FROM outledger_message
           WHERE position BETWEEN o.first AND o.last) x)
      SELECT (SELECT CASE WHEN lease_until IS NULL THEN '' ELSE incarnation::text END FROM c),
             (SELECT n FROM above) + (SELECT n FROM below),
             (SELECT count(*) FROM open)
               + (SELECT count(*) FROM outledger_parked
                   WHERE subscription = '%1$s' AND state <> 'dead'),
             (SELECT count(*) FROM outledger_message m, c
               WHERE m.position > c.high - %2$d AND m.position <= c.high
                 AND NOT EXISTS (SELECT FROM dead d WHERE d.id = m.id)
                 AND NOT EXISTS (SELECT FROM effect e WHERE e.message_id = m.id))
               - (SELECT n FROM below),
             (SELECT count(*) FROM pg_stat_activity
               WHERE application_name LIKE 'writer%%' AND xact_start IS NOT NULL),
             (SELECT high FROM c),
             (SELECT high FROM c)
               - (SELECT coalesce(sum(last - first + 1), 0) FROM open),
             coalesce(least((SELECT min(first) FROM open), (SELECT high FROM c) + 1), 1)\
      """
          .formatted(SUBSCRIPTION, NEWEST);

  private static final String CURSOR =
      """
      SELECT 0, '', false, 0, high, false, open_first, open_last,
             (SELECT coalesce(array_agg(first_position ORDER BY first_position), '{}')
                FROM outledger_hole
               WHERE subscription = '%1$s'),
             (SELECT coalesce(array_agg(last_position ORDER BY first_position), '{}')
                FROM outledger_hole
               WHERE subscription = '%1$s')
        FROM outledger_cursor WHERE subscription = '%1$s' ORDER BY n DESC LIMIT 1\
      """
          .formatted(SUBSCRIPTION);

  private static final int FIRSTS = 7;

  @Override
  public List<String> tables() {
    return List.of(
        "CREATE TABLE account (key text PRIMARY KEY, counter bigint NOT NULL DEFAULT 0)",
        "INSERT INTO account (key) SELECT 'a' || n FROM generate_series(1, " + ACCOUNTS + ") n",
        "INSERT INTO account (key) SELECT 'r' || n FROM generate_series(1, " + REFUSED + ") n",
        // Deliberately without a key: a second effect must be visible, not refused.
        "CREATE TABLE effect (consumer text NOT NULL, message_id uuid NOT NULL)",
        "CREATE INDEX effect_message ON effect (message_id)",
        """
        CREATE TABLE audit (
          n bigint PRIMARY KEY, incarnation text, taken boolean, at timestamptz, high bigint,
          firsts bigint[], lasts bigint[], overflow_firsts bigint[], overflow_lasts bigint[],
          released boolean)\
        """,
        """
        CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO public.audit
          SELECT NEW.n, NEW.incarnation::text, NEW.taken, clock_timestamp(), NEW.high,
                 NEW.open_first, NEW.open_last,
                 coalesce(array_agg(first_position ORDER BY first_position), '{}'),
                 coalesce(array_agg(last_position ORDER BY first_position), '{}'),
                 NEW.lease_until IS NULL
            FROM public.outledger_hole h
           WHERE NEW.taken AND h.subscription = NEW.subscription;
          RETURN NULL;
        END $$\
        """,
        "CREATE TRIGGER audit AFTER INSERT ON outledger_cursor FOR EACH ROW WHEN"
            + " (NEW.subscription = '"
            + SUBSCRIPTION
            + "') EXECUTE FUNCTION audit()",
        "CREATE TABLE purged (id uuid NOT NULL, position bigint NOT NULL)",
        """
        CREATE FUNCTION purged() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO public.purged SELECT id, position FROM gone;
          RETURN NULL;
        END $$\
        """,
        "CREATE TRIGGER purged AFTER DELETE ON outledger_message REFERENCING OLD TABLE AS gone"
            + " FOR EACH STATEMENT EXECUTE FUNCTION purged()",
        "CREATE TABLE dead (id uuid NOT NULL, position bigint NOT NULL)",
        "CREATE INDEX dead_id ON dead (id)",
        """
        CREATE FUNCTION dead() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO public.dead VALUES (NEW.id, NEW.position);
          RETURN NULL;
        END $$\
        """,
        "CREATE TRIGGER dead AFTER INSERT OR UPDATE ON outledger_parked FOR EACH ROW"
            + " WHEN (NEW.state = 'dead') EXECUTE FUNCTION dead()");
  }

  @Override
  public long count(Connection connection, String key, int more) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE account SET counter = counter + ? WHERE key = ? RETURNING counter")) {
      update.setInt(1, more);
      update.setString(2, key);
      try (ResultSet row = update.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  @Override
  public Object value(UUID id) {
    return id;
  }

  @Override
  public UUID id(ResultSet row, int column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  @Override
  public Instant time(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  @Override
  public ShopState state(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(STATE)) {
      row.next();
      String owner = row.getString(1);
      return new ShopState(
          owner == null ? "" : owner,
          row.getLong(2),
          row.getLong(3),
          Math.max(0, row.getLong(4)),
          row.getLong(5),
          row.getLong(6),
          row.getLong(7),
          row.getLong(8));
    }
  }

  @Override
  public String oldInboxRecords() {
    return """
    INSERT INTO outledger_inbox (processed_minute, consumer_no, message_hash)
    SELECT date_part('epoch', now() - interval '30 days') / 60, 0, gen_random_uuid()
      FROM generate_series(1, 2000)\
    """;
  }

  @Override
  public String owners() {
    return """
    SELECT n, incarnation, taken, extract(epoch FROM at) * 1000, high, released, firsts, lasts,
           overflow_firsts, overflow_lasts FROM audit ORDER BY n\
    """;
  }

  @Override
  public String cursor() {
    return CURSOR;
  }

  @Override
  public Frontier frontier(ResultSet row) throws SQLException {
    return new Frontier(row.getLong(5), open(row, FIRSTS).union(open(row, FIRSTS + 2)));
  }

  private static Positions open(ResultSet row, int firsts) throws SQLException {
    return Positions.ofRanges(longs(row.getArray(firsts)), longs(row.getArray(firsts + 1)));
  }

  private static long[] longs(Array array) throws SQLException {
    Long[] boxed = (Long[]) array.getArray();
    long[] longs = new long[boxed.length];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = boxed[i];
    }
    return longs;
  }
}
