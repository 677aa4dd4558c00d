// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The planner expects about as much of a view as there is. Where it expects more than this, a
 * server with LLVM compiles the query first, which takes a second.
 */
class ViewPlansIT {

  /** {@code jit_above_cost}, as it is by default. */
  private static final double COST_MAX = 100_000;

  private static final Pattern COST = Pattern.compile("cost=[0-9.]+\\.\\.([0-9.]+)");

  private static final String SUBSCRIPTIONS =
      """
      INSERT INTO outledger_cursor
             (subscription, n, incarnation, lease_millis, high, open_first, open_last)
      SELECT 's' || s, n, gen_random_uuid(), 10000, n * 100,
             ARRAY[n * 100 - 20, n * 100 - 10], ARRAY[n * 100 - 15, n * 100 - 5]
        FROM generate_series(1, 50) s, generate_series(1, 1000) n\
      """;
  private static final String PARKED =
      """
      INSERT INTO outledger_parked
             (subscription, position, route, state, blocks, attempts, time, id, version, topic,
              message_key, type, payload)
      SELECT 's1', i, '', CASE i % 3 WHEN 0 THEN 'dead' WHEN 1 THEN 'held' ELSE 'retrying' END,
             true, 1, now(), gen_random_uuid(), 1, 'orders', 'k' || i, 'order.placed', 'x'
        FROM generate_series(1, 10000) i\
      """;

  private static StoreDatabase database;

  @BeforeAll
  static void fill() throws SQLException {
    database = StoreDatabase.create();
    database.execute(StoreDatabase.append(200_000));
    database.execute(SUBSCRIPTIONS);
    database.execute(PARKED);
    database.execute("ANALYZE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM outledger_lag",
        "SELECT * FROM outledger_lag WHERE subscription = 's1'",
        "SELECT * FROM outledger_published WHERE position = 17",
        "SELECT * FROM outledger_pending WHERE position = 17",
        "SELECT * FROM outledger_pending WHERE subscription = 's1' LIMIT 100"
      })
  void plannerDoesNotExpectMillions(String query) throws SQLException {
    String plan = String.join("\n", database.query("EXPLAIN " + query));
    Matcher cost = COST.matcher(plan);
    assertThat(cost.find()).as(plan).isTrue();
    assertThat(Double.parseDouble(cost.group(1))).as(plan).isLessThan(COST_MAX);
  }
}
