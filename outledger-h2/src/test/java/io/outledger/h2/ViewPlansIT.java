// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A view for people reads each row a few times, whatever H2 thinks of the tables. */
class ViewPlansIT {

  private static final Pattern SCANNED = Pattern.compile("scanCount: (\\d+)");
  private static final long READS_MAX = 20_000;

  @ParameterizedTest
  @ValueSource(strings = {"outledger_pending", "outledger_lag"})
  void viewReadsEachRowAFewTimes(String view) throws SQLException {
    try (TestH2 database = TestH2.create();
        Connection connection = database.connect()) {
      database.execute(
          "INSERT INTO outledger_message (time, id, version, topic, type, payload)"
              + " SELECT CURRENT_TIMESTAMP, RANDOM_UUID(), 1, 't', 't', X'00'"
              + " FROM SYSTEM_RANGE(1, 100)");
      database.execute(
          "INSERT INTO outledger_cursor (subscription, n, incarnation, lease_millis, high,"
              + " open_first, open_last) SELECT 's' || MOD(\"X\", 3), \"X\", RANDOM_UUID(), 1000,"
              + " 50, ARRAY[1, 5, 9], ARRAY[2, 6, 10] FROM SYSTEM_RANGE(1, 90)");
      String plan =
          Sql.of(connection, "EXPLAIN ANALYZE SELECT * FROM " + view)
              .first(row -> row.getString(1))
              .orElseThrow();
      long reads = 0;
      for (Matcher found = SCANNED.matcher(plan); found.find(); ) {
        reads += Long.parseLong(found.group(1));
      }
      assertThat(reads).as(plan).isPositive().isLessThan(READS_MAX);
    }
  }
}
