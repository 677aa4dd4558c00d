// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.sql.ParkedReadsBySql;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each relay looks almost every second whether something that is parked has work. After an outage
 * thousands are parked that have none: they are dead, or due much later.
 */
class LookForWorkIT {

  private static final int ROWS_READ_MAX = 20;

  // Over 12,000 of them.
  private static final String PARKED =
      """
      INSERT INTO {schema}.outledger_parked
             (subscription, position, route, state, blocks, attempts, next_attempt_at, parked_at,
              changed_at, time, id, version, topic, type, payload)
      SELECT 's', a.slot * 4096 + b.slot * 256 + c.slot * 16 + d.slot, '',
             CASE WHEN d.slot < 8 THEN 'dead' ELSE 'retrying' END, FALSE, 3,
             CASE WHEN d.slot < 8 THEN NULL ELSE TIMESTAMPADD(DAY, 1, {now}) END,
             {now}, {now}, {now}, UNHEX(MD5(CONCAT(a.slot, ',', b.slot, ',', c.slot, ',', d.slot))),
             1, 'orders', 'placed', ''
        FROM {schema}.outledger_gate a, {schema}.outledger_gate b, {schema}.outledger_gate c,
             {schema}.outledger_gate d
       WHERE a.slot < 3\
      """;

  @ParameterizedTest
  @EnumSource
  void doesNotReadWhatHasNone(ChangeFilesIT.On server) throws SQLException {
    try (TestDatabase database = server.open().withTables();
        Connection connection = database.connect()) {
      database.execute(PARKED);
      database.execute("ANALYZE TABLE {schema}.outledger_parked");
      assertThat(work(database, connection)).isEmpty();
      long before = rowsRead(database, connection);
      assertThat(work(database, connection)).isEmpty();
      assertThat(rowsRead(database, connection) - before).isLessThan(ROWS_READ_MAX);
      for (String asked : new String[] {"'retry'", "'discard'"}) {
        database.execute(
            "UPDATE {schema}.outledger_parked SET requested = " + asked + " WHERE position = 5000");
        assertThat(work(database, connection)).containsExactly(0);
      }
      database.execute("UPDATE {schema}.outledger_parked SET requested = NULL");
      assertThat(work(database, connection)).isEmpty();
      database.execute(
          "UPDATE {schema}.outledger_parked SET next_attempt_at = {now} WHERE position = 5000");
      assertThat(work(database, connection)).containsExactly(0);
    }
  }

  private static Set<Integer> work(TestDatabase database, Connection connection)
      throws SQLException {
    return new ParkedReadsBySql(
            database.tables(),
            new CursorKey("s", 0),
            LedgerTexts.RELAY.isRequested(),
            LedgerTexts.RELAY.isDiscarded())
        .partitionsWithWork(connection, Set.of(0));
  }

  /** Returns how many rows and entries of indexes the session has read. */
  private static long rowsRead(TestDatabase database, Connection connection) throws SQLException {
    return Sql.in(database.tables(), connection, "SHOW SESSION STATUS LIKE 'Handler_read%'")
        .rows(row -> row.getLong(2))
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }
}
