// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import io.outledger.Delivery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows that tell what whoever schedules believes, each written in the transaction that it tells
 * of: what was planned, what was cancelled, what was handled. The database itself notes which
 * transaction took a message away from those that wait. No table has a key that would hide what
 * happens twice.
 *
 * @param connection to the database; closed by whoever gave it
 */
record Plans(Connection connection) {

  // The mover has no search path: what it sets off must name the schema.
  private static final String TABLES =
      """
      CREATE TABLE planned (
        n bigserial PRIMARY KEY, message_id uuid NOT NULL, message_key text NOT NULL, name text,
        due_at timestamptz, not_before timestamptz NOT NULL, replaces uuid,
        planned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        by xid8 NOT NULL DEFAULT pg_current_xact_id());
      CREATE TABLE cancelled (message_id uuid NOT NULL, named boolean NOT NULL);
      CREATE TABLE came_too_late (message_id uuid NOT NULL);
      CREATE TABLE taken_away (message_id uuid NOT NULL, by xid8 NOT NULL);
      CREATE TABLE killed (began timestamptz NOT NULL, ended timestamptz NOT NULL);
      CREATE TABLE handled (message_id uuid NOT NULL);
      CREATE TABLE others (message_id uuid PRIMARY KEY);
      CREATE TABLE allowed (messages bigint NOT NULL);
      INSERT INTO allowed VALUES (0);
      CREATE FUNCTION note_taken_away() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO public.taken_away VALUES (OLD.id, pg_current_xact_id());
          RETURN NULL;
        END $$;
      CREATE TRIGGER note_taken_away AFTER DELETE ON outledger_scheduled
        FOR EACH ROW EXECUTE FUNCTION note_taken_away()\
      """;

  // The clock is read before the message is scheduled, so that its delay begins later.
  private static final String PLAN =
      """
      INSERT INTO planned (message_id, message_key, name, due_at, not_before, replaces)
      SELECT ?, ?, ?, due.at, coalesce(due.at, clock_timestamp() + ? * interval '1 millisecond'), ?
        FROM (SELECT ?::timestamptz AS at) due\
      """;

  // Right behind the replacement, at READ COMMITTED: it has waited for a mover that was at this
  // message, so that the ledger shows the message now, or it is never to be delivered.
  private static final String REPLACED =
      """
      INSERT INTO came_too_late (message_id)
      SELECT DISTINCT m.id FROM outledger_message m WHERE m.id = ?\
      """;

  // Whoever takes all leave away waits for the transactions that have asked.
  private static final String MAY =
      """
      SELECT a.messages > (SELECT s.last_value FROM planned_n_seq s) FROM allowed a FOR SHARE\
      """;

  private static final String OTHERS =
      """
      WITH other AS (
        INSERT INTO outledger_scheduled
               (due_at, scheduled_at, id, version, topic, message_key, type, payload)
        SELECT clock_timestamp() + interval '1 year' + i * interval '1 millisecond',
               clock_timestamp(), gen_random_uuid(), 1, 'reminders', 'other/' || i % 1000,
               'reminder.due', '\\x'
          FROM generate_series(1, ?) AS i
        RETURNING id)
      INSERT INTO others SELECT other.id FROM other\
      """;

  /**
   * A message that was planned.
   *
   * @param id its id
   * @param name its name; null where it has none
   */
  record Plan(UUID id, @Nullable String name) {}

  /** Makes the tables. */
  void create() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TABLES);
    }
  }

  /** Has messages wait that are due in a year, and that nobody is to touch. */
  void others(int messages) throws SQLException {
    change(OTHERS, messages);
    try (Statement statement = connection.createStatement()) {
      statement.execute("ANALYZE outledger_scheduled");
    }
  }

  /** Allows about so many messages in all; with 0, nothing more comes once this has returned. */
  void allow(long messages) throws SQLException {
    change("UPDATE allowed SET messages = ?", messages);
  }

  /** Returns whether the transaction may schedule something. */
  boolean may() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(MAY)) {
      return row.next() && row.getBoolean(1);
    }
  }

  /**
   * Tells of a message that is scheduled next.
   *
   * @param replaces whose place it takes; null where it takes none's
   */
  void planned(Plan plan, String key, Delivery when, @Nullable UUID replaces) throws SQLException {
    change(
        PLAN,
        plan.id(),
        key,
        plan.name(),
        when.delay().toMillis(),
        replaces,
        when.time().map(time -> time.atOffset(ZoneOffset.UTC)).orElse(null));
  }

  /**
   * Tells that the place of a message was taken, in the transaction that did it and right behind
   * it: had the message been delivered, the replacement came too late for it.
   */
  void replaced(UUID message) throws SQLException {
    change(REPLACED, message);
  }

  /** Tells that a process, or the database, was down, and since when; it is up again now. */
  void wasDown(Instant began) throws SQLException {
    change(
        "INSERT INTO killed (began, ended) VALUES (?, clock_timestamp())",
        began.atOffset(ZoneOffset.UTC));
  }

  /** Tells that a message was cancelled. */
  void cancelled(UUID message, boolean byName) throws SQLException {
    change("INSERT INTO cancelled (message_id, named) VALUES (?, ?)", message, byName);
  }

  /** Tells that a message was handled. */
  void handled(UUID message) throws SQLException {
    change("INSERT INTO handled (message_id) VALUES (?)", message);
  }

  /** Returns the message that anybody has planned so many before the newest one. */
  Optional<UUID> before(int newest) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT p.message_id FROM planned p WHERE p.n <= (SELECT last_value FROM"
                + " planned_n_seq) - ? ORDER BY p.n DESC LIMIT 1")) {
      query.setInt(1, newest);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(row.getObject(1, UUID.class)) : Optional.empty();
      }
    }
  }

  private void change(String sql, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }
}
