// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.NotedPlaces;
import io.outledger.jdbc.spi.ParkedNotes;
import io.outledger.store.ParkedPlace;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A request for many dead letters of a divided subscription reads each of them about once. */
class DividedParkedPlansIT {

  private static final int PARTITIONS = 4;
  private static final int DEAD = 8_000;
  private static final int BATCH = 500;

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void searchOfAllPartitionsIsBounded() throws SQLException {
    database.execute(
        """
        INSERT INTO outledger_parked
               (subscription, partition_no, position, route, state, blocks, attempts, time, id,
                version, topic, type, payload)
        SELECT 's', 1 + i %% %d, i, '', 'dead', false, 3, now(), gen_random_uuid(), 1, 'orders',
               'order.placed', 'x'
          FROM generate_series(1, %d) i
        """
            .formatted(PARTITIONS, DEAD));
    database.execute("ANALYZE outledger_parked");
    ParkedNotes<ParkedPlace> notes =
        new PostgresDatabase(new Tables(Tables.DEFAULT_SCHEMA))
            .parkedNotes(CursorKey.everyPartition("s"));
    ParkedNotes.Filter dead =
        new ParkedNotes.Filter(ParkedSelection.ALL, Instant.parse("9999-01-01T00:00:00Z"));
    ParkedNotes.Note retry = new ParkedNotes.Note(UUID.randomUUID(), ParkedRequest.RETRY);
    List<Long> noted = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      ParkedPlace after = ParkedPlace.FIRST;
      boolean isEnd = false;
      while (!isEnd) {
        NotedPlaces<ParkedPlace> next = notes.noteNext(connection, retry, dead, after, BATCH);
        next.places().forEach(place -> noted.add(place.position()));
        after = next.last();
        isEnd = next.isEnd();
      }
      assertThat(reads(connection)).isLessThan(6L * DEAD);
      connection.rollback();
    }
    assertThat(noted).hasSize(DEAD).isSorted().doesNotHaveDuplicates();
  }

  private static long reads(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
                    + " WHERE relname = 'outledger_parked'")) {
      row.next();
      return row.getLong(1);
    }
  }
}
