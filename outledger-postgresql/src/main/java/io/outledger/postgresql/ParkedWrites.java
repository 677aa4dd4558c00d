// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.Message;
import io.outledger.jdbc.spi.AttemptRows;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.ErrorText;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.store.ParkedChange;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Changes the parked messages, in the transaction of the save that carries the changes. */
final class ParkedWrites {

  // A message that is read again may meet what was parked of it before: the newer truth replaces
  // it, and keeps no old request. What is withdrawn stays so: it was erased, or another one was
  // appended in its place.
  private static final String REPLACING =
      """
      ON CONFLICT (subscription, partition_no, position, route, id) DO UPDATE
         SET emptied = 0, state = excluded.state, blocks = excluded.blocks, request_id = NULL,
             requested = CASE WHEN outledger_parked.withdrawn THEN 'discard'
                              ELSE excluded.requested END,
             withdrawn = outledger_parked.withdrawn OR excluded.withdrawn,
             replayed = false, attempts = excluded.attempts,
             next_attempt_at = excluded.next_attempt_at, changed_at = clock_timestamp(),
             error = CASE WHEN NOT outledger_parked.withdrawn THEN excluded.error END,
             time = excluded.time, version = excluded.version, topic = excluded.topic,
             message_key = excluded.message_key, type = excluded.type,
             payload = CASE WHEN outledger_parked.withdrawn THEN outledger_parked.payload
                            ELSE excluded.payload END,
             headers = CASE WHEN NOT outledger_parked.withdrawn THEN excluded.headers END\
      """;

  // One insert into the primary key and up to two small indexes.
  private static final String PARK =
      """
      INSERT INTO {schema}.outledger_parked
             (subscription, partition_no, position, route, state, blocks, attempts, next_attempt_at,
              error, time, id, version, topic, message_key, type, payload, headers)
      VALUES (?, ?, ?, ?, ?, ?, ?, clock_timestamp() + ?::bigint * interval '1 millisecond',
              ?, ?, ?, ?, ?, ?, ?, ?, ?)
      %s\
      """
          .formatted(REPLACING);

  // The same of a message that cannot be read, or is not to be: copied by the server as it stands
  // in the ledger, by one probe of its primary key, and so nothing of it is lost. Of one that was
  // erased since it was read nothing is left to be tried, and what is known of it may quote it.
  private static final String PARK_UNREAD =
      """
      INSERT INTO {schema}.outledger_parked
             (subscription, partition_no, position, route, state, blocks, attempts, next_attempt_at,
              error, requested, withdrawn, time, id, version, topic, message_key, type, payload,
              headers)
      SELECT ?, ?, m.position, ?, ?, ?, ?,
             clock_timestamp() + ?::bigint * interval '1 millisecond',
             CASE WHEN NOT m.erased THEN ?::text END, CASE WHEN m.erased THEN 'discard' END,
             m.erased, m.time, m.id, m.version, m.topic, m.message_key, m.type, m.payload,
             m.headers
        FROM {schema}.outledger_message m WHERE m.position = ? AND m.id = ?
      %s\
      """
          .formatted(REPLACING);

  // The primary key. The attempt answers a request to retry; one to discard, made while it was in
  // flight, is still to be done. What it says of a message that was erased meanwhile may quote it.
  private static final String FAIL =
      """
      UPDATE {schema}.outledger_parked
         SET state = ?, blocks = ?, attempts = ?,
             error = CASE WHEN withdrawn THEN NULL ELSE ?::text END,
             requested = nullif(requested, 'retry'),
             next_attempt_at = clock_timestamp() + ?::bigint * interval '1 millisecond',
             changed_at = clock_timestamp()
       WHERE subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?\
      """;

  // The primary key. What is left of it says when it was settled, for the view, as long as the
  // ledger has the message. The copy of a replay leaves nothing, since its message was settled
  // before: published, it ends that the message counts as discarded.
  private static final String REMOVE =
      """
      WITH gone AS (
        DELETE FROM {schema}.outledger_parked
         WHERE subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?
        RETURNING subscription, partition_no, position, route, id, replayed),
      asked AS (SELECT ?::boolean AS discarded)
      INSERT INTO {schema}.outledger_late (subscription, partition_no, position, route, discarded)
      SELECT subscription, partition_no, position, route, asked.discarded
        FROM gone CROSS JOIN asked
       WHERE (NOT gone.replayed
              OR NOT asked.discarded
                 AND EXISTS (SELECT FROM {schema}.outledger_late l
                              WHERE l.subscription = gone.subscription
                                AND l.partition_no = gone.partition_no
                                AND l.position = gone.position AND l.route = gone.route
                                AND l.discarded))
         AND EXISTS (SELECT FROM {schema}.outledger_message m
                      WHERE m.position = gone.position AND m.id = gone.id)
      ON CONFLICT (subscription, partition_no, position, route) DO UPDATE
         SET settled_at = excluded.settled_at, discarded = excluded.discarded\
      """;

  // One message for each of the batch: by its primary key alone, whatever the planner believes.
  private static final String ATTEMPT =
      """
      WITH cleared AS (
        %s)
      %s
      ON CONFLICT (subscription, partition_no, position, route, id, attempt_no) DO UPDATE
         SET failed_at = excluded.failed_at, took_millis = excluded.took_millis,
             error = excluded.error\
      """;

  // One insert into the primary key.
  private static final String PASS_OVER =
      """
      INSERT INTO {schema}.outledger_late (subscription, partition_no, position, route, discarded)
      SELECT ?, ?, m.position, ?, true
        FROM {schema}.outledger_message m WHERE m.position = ? AND m.id = ?
      ON CONFLICT (subscription, partition_no, position, route) DO UPDATE
         SET settled_at = excluded.settled_at, discarded = excluded.discarded\
      """;

  private final String park;
  private final String parkUnread;
  private final String fail;
  private final String remove;
  private final AttemptRows attempts;
  private final String passOver;
  private final CursorKey key;

  ParkedWrites(Tables tables, CursorKey key) {
    this.park = tables.in(PARK);
    this.parkUnread = tables.in(PARK_UNREAD);
    this.fail = tables.in(FAIL);
    this.remove = tables.in(REMOVE);
    this.attempts = new AttemptRows(tables, key, ATTEMPT);
    this.passOver = tables.in(PASS_OVER);
    this.key = key;
  }

  /** Makes the changes in order; those of one kind that follow each other go as one batch. */
  void apply(Session session, List<ParkedChange> changes) throws SQLException {
    PreparedStatement batch = null;
    for (ParkedChange change : changes) {
      PreparedStatement next = bind(session, change);
      if (batch != null && batch != next) {
        batch.executeBatch();
      }
      next.addBatch();
      batch = next;
    }
    if (batch != null) {
      batch.executeBatch();
    }
    attempts.note(session.connection(), changes);
  }

  private PreparedStatement bind(Session session, ParkedChange change) throws SQLException {
    if (change instanceof ParkedChange.Park parked) {
      return parked.message().unreadable() == null
          ? bind(session.prepare(park), parked)
          : bindUnread(session.prepare(parkUnread), parked);
    }
    if (change instanceof ParkedChange.Fail failed) {
      return bind(session.prepare(fail), failed);
    }
    if (change instanceof ParkedChange.PassOver passed) {
      return bind(session.prepare(passOver), passed);
    }
    PreparedStatement statement = session.prepare(remove);
    int at = ofMessage(statement, 1, change);
    statement.setBoolean(at, change instanceof ParkedChange.Remove gone && gone.discarded());
    return statement;
  }

  private PreparedStatement bind(PreparedStatement statement, ParkedChange.Park change)
      throws SQLException {
    Message message = change.message().message();
    int at = at(statement, 1, change);
    statement.setString(at++, change.message().state().name().toLowerCase(Locale.ROOT));
    statement.setBoolean(at++, change.message().blocks());
    statement.setInt(at++, change.message().attempts());
    millis(statement, at++, change.retryIn());
    statement.setString(at++, ErrorText.storable(change.error()));
    statement.setObject(at++, message.time().atOffset(ZoneOffset.UTC));
    statement.setObject(at++, message.id());
    statement.setInt(at++, message.version());
    statement.setString(at++, message.topic());
    statement.setString(at++, message.key());
    statement.setString(at++, message.type());
    statement.setBytes(at++, message.payload());
    statement.setString(at, HeaderText.encode(message.headers()));
    return statement;
  }

  private PreparedStatement bindUnread(PreparedStatement statement, ParkedChange.Park change)
      throws SQLException {
    int at = key.bind(statement, 1);
    statement.setString(at++, change.route());
    statement.setString(at++, change.message().state().name().toLowerCase(Locale.ROOT));
    statement.setBoolean(at++, change.message().blocks());
    statement.setInt(at++, change.message().attempts());
    millis(statement, at++, change.retryIn());
    statement.setString(at++, ErrorText.storable(change.error()));
    statement.setLong(at++, change.position());
    statement.setObject(at, change.id());
    return statement;
  }

  private PreparedStatement bind(PreparedStatement statement, ParkedChange.Fail change)
      throws SQLException {
    statement.setString(1, change.state().name().toLowerCase(Locale.ROOT));
    statement.setBoolean(2, change.blocks());
    statement.setInt(3, change.attempts());
    statement.setString(4, ErrorText.storable(change.error()));
    millis(statement, 5, change.retryIn());
    ofMessage(statement, 6, change);
    return statement;
  }

  private PreparedStatement bind(PreparedStatement statement, ParkedChange.PassOver change)
      throws SQLException {
    int at = key.bind(statement, 1);
    statement.setString(at++, change.route());
    statement.setLong(at++, change.position());
    statement.setObject(at, change.id());
    return statement;
  }

  private int at(PreparedStatement statement, int from, ParkedChange change) throws SQLException {
    int at = key.bind(statement, from);
    statement.setLong(at++, change.position());
    statement.setString(at++, change.route());
    return at;
  }

  private int ofMessage(PreparedStatement statement, int from, ParkedChange change)
      throws SQLException {
    int at = at(statement, from, change);
    statement.setObject(at++, change.id());
    return at;
  }

  private static void millis(PreparedStatement statement, int at, @Nullable Duration duration)
      throws SQLException {
    if (duration == null) {
      statement.setNull(at, Types.BIGINT);
    } else {
      statement.setLong(at, duration.toMillis());
    }
  }
}
