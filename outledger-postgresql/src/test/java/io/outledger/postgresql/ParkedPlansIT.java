// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A parked row costs one step along its index, also where the statistics are of an empty table: a
 * replay fills and empties it faster than the server looks.
 */
class ParkedPlansIT {

  private static final int WAITING = 3_000;

  private final StoreDatabase database = StoreDatabase.create();

  @BeforeEach
  void parkBehindTheStatistics() throws SQLException {
    database.execute("VACUUM (ANALYZE) outledger_parked");
    database.execute(
        """
        INSERT INTO outledger_parked
               (subscription, partition_no, position, route, state, blocks, attempts,
                next_attempt_at, time, id, version, topic, type, payload)
        SELECT 's', 0, i, '', 'retrying', false, 0, now(), now(), gen_random_uuid(), 1, 'orders',
               'order.placed', 'x'
          FROM generate_series(1, %d) i
        """
            .formatted(WAITING));
  }

  @Test
  void rowIsFoundByItsPlace() throws SQLException {
    assertThat(
            plan(
                """
                DELETE FROM outledger_parked
                 WHERE subscription = 's' AND partition_no = 0 AND position = 7 AND route = ''
                   AND id = '00000000-0000-0000-0000-000000000001'
                """))
        .contains("outledger_parked_pkey");
  }

  @Test
  void firstThatAreDueAreReadInTheOrderOfTheirTime() throws SQLException {
    assertThat(
            plan(
                """
                SELECT position, route, id FROM outledger_parked
                 WHERE subscription = 's' AND partition_no = 0 AND route = ''
                   AND state = 'retrying' AND NOT withdrawn
                   AND next_attempt_at <= (SELECT clock_timestamp())
                 ORDER BY next_attempt_at, position, id LIMIT 100
                """))
        .contains("outledger_parked_due")
        .doesNotContain("Sort");
  }

  @Test
  void thoseThatWaitUntilTheyAreResumedAreReadInOrderOfPlace() throws SQLException {
    assertThat(
            plan(
                """
                SELECT position, route, id FROM outledger_parked
                 WHERE subscription = 's' AND partition_no = 0 AND route = ''
                   AND state = 'retrying' AND next_attempt_at IS NULL AND NOT withdrawn
                   AND (position, id) > (7, '00000000-0000-0000-0000-000000000001')
                   AND NOT topic = ANY ('{}') AND NOT coalesce(message_key = ANY ('{}'), false)
                 ORDER BY next_attempt_at, position, id LIMIT 100
                """))
        .contains("outledger_parked_due")
        .doesNotContain("Sort");
  }

  @Test
  void deadAndRetryingOnesAreCountedByIndexesOfTheirOwn() throws SQLException {
    String counted =
        """
        SELECT count(*) FROM (
          SELECT FROM outledger_parked
           WHERE subscription = 's' AND partition_no = 0 AND state = '%s' LIMIT 10001) counted
        """;
    assertThat(plan(counted.formatted("dead"))).contains("outledger_parked_state");
    assertThat(plan(counted.formatted("retrying"))).contains("outledger_parked_due");
  }

  /** Returns how a relay's session would run it. */
  private String plan(String sql) throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET enable_seqscan = off");
      statement.execute("SET enable_bitmapscan = off");
      try (ResultSet lines = statement.executeQuery("EXPLAIN (COSTS OFF) " + sql)) {
        while (lines.next()) {
          plan.append(lines.getString(1)).append('\n');
        }
      }
    }
    return plan.toString();
  }
}
