// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** Fills the tables as months of use would: a message each millisecond, and what came of them. */
final class AdminLedger {

  /** When the first message was made. */
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** The first position that is parked; every second one after it is, too. */
  static final int PARKED_FROM = 1_000;

  private static final String MESSAGES =
      """
      INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload, headers)
      SELECT made.at,
             (lpad(to_hex((extract(epoch FROM made.at) * 1000)::bigint), 12, '0') || '7'
               || substr(made.noise, 1, 3) || '8' || substr(made.noise, 4, 15))::uuid,
             1, 'orders', 'order-' || made.i %% 100000, 'order.placed', made.noise::bytea,
             'tenant=' || made.i %% 100
        FROM (SELECT i, timestamptz '2026-01-01 00:00:00+00' + i * interval '1 millisecond' AS at,
                     md5(i::text) AS noise
                FROM generate_series(1, %d) i) made\
      """;

  // One of a week, with a row for each second; the others are younger. Each is a little behind, and
  // has some open ranges.
  private static final String CURSORS =
      """
      INSERT INTO outledger_cursor (subscription, n, incarnation, taken, lease_millis,
                                    lease_until, saved_at, high, open_first, open_last)
      SELECT 's' || lpad(s::text, 2, '0'), n, md5(s::text)::uuid, n = 1, 10000,
             clock_timestamp() + interval '1 day',
             clock_timestamp() - (most - n) * interval '1 second',
             %1$d::bigint * n / most - 1000 * s,
             ARRAY(SELECT %1$d::bigint * n / most - 1000 * s - 2 * k
                     FROM generate_series(50, 1, -1) k),
             ARRAY(SELECT %1$d::bigint * n / most - 1000 * s - 2 * k
                     FROM generate_series(50, 1, -1) k)
        FROM generate_series(1, 50) s,
             LATERAL (SELECT CASE WHEN s = 1 THEN 600000 ELSE 2000 END AS most) m,
             LATERAL generate_series(greatest(1, most / 2), most) n
       WHERE %1$d::bigint * n / most > 1000 * s + 200\
      """;

  private static final String PARKED =
      """
      INSERT INTO outledger_parked (subscription, position, route, state, blocks, attempts,
                                    next_attempt_at, time, id, version, topic, message_key, type,
                                    payload, headers, error)
      SELECT 's01', m.position, '', CASE m.position %% 20 WHEN 0 THEN 'dead' WHEN 10 THEN 'retrying'
                                         ELSE 'held' END,
             m.position %% 10 = 0, 3, now(), m.time, m.id, 1, m.topic, m.message_key, m.type,
             m.payload, m.headers,
             CASE WHEN m.position %% 10 = 0
                  THEN 'java.io.IOException: broker ' || m.position || ' says no, code '
                       || m.position %% 100 || ' ' || repeat('.', 200) END
        FROM outledger_message m
       WHERE m.position BETWEEN %1$d AND %1$d + 19998 AND m.position %% 2 = 0\
      """
          .formatted(PARKED_FROM);

  private static final String RECEIVED =
      """
      INSERT INTO outledger_inbox_parked (consumer, source, message_id, state, blocks, attempts,
                                          next_attempt_at, origin, topic, key_space, message_key,
                                          type, version, payload, error)
      SELECT 'c1', 'shop', i::text, 'dead', true, 3, now(), '', 'orders', '', 'order-' || i,
             'order.placed', 1, 'payload', 'java.sql.SQLException: no item ' || i
        FROM generate_series(1, 10000) i\
      """;

  private static final String INBOX =
      """
      INSERT INTO outledger_inbox_consumer (consumer, subscription, told_in, consumer_no)
      SELECT 'c' || i, '', '1', i FROM generate_series(0, 4) i;
      INSERT INTO outledger_inbox (consumer_no, message_hash)
      SELECT i %% 5, md5(i::text)::uuid FROM generate_series(1, %d) i\
      """;

  private static final String STATUS =
      """
      INSERT INTO outledger_status (subscription, instance, incarnation, state, since, reason,
                                    causes)
      SELECT 's' || lpad(s::text, 2, '0'), 'instance-' || i,
             CASE i WHEN 1 THEN md5(s::text)::uuid END,
             CASE i WHEN 1 THEN 'waiting' ELSE 'standby' END, now(), 'down',
             'kind=OUTAGE&text=down&ms_before=7'
        FROM generate_series(1, 50) s, generate_series(1, 3) i\
      """;

  private AdminLedger() {}

  static void fill(DataSource dataSource, int messages) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      for (String sql :
          List.of(
              MESSAGES.formatted(messages),
              CURSORS.formatted(messages),
              PARKED,
              RECEIVED,
              INBOX.formatted(messages / 10),
              STATUS,
              "VACUUM (ANALYZE)",
              "CHECKPOINT")) {
        Sql.run(connection, sql);
      }
    }
  }
}
