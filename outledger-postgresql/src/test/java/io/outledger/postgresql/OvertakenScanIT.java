// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.sql.CursorPlacing;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A purge goes on between the walk that finds a start and the placing of the cursor. */
class OvertakenScanIT {

  private static final Tables TABLES = new Tables("public");
  private static final CursorKey KEY = new CursorKey("late", 0);

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void gapsThatWerePurgedMeanwhileAreNotOpen() throws SQLException {
    appendWithAHole();
    try (RelayStore store = database.store("kafka");
        Connection connection = database.connect()) {
      OwnerByHand other = OwnerByHand.of(store);
      other.readAndSettle();
      Optional<LedgerEdge> found = new LedgerScan(TABLES).edge(connection, Start.NOW);
      assertThat(found.orElseThrow().holes().size()).isEqualTo(2);
      other.frontier = other.frontier.settle(other.frontier.open());
      other.save(List.of(), other.overflow);
      purge();
      assertThat(new CursorPlacing(TABLES, KEY).make(connection, Start.NOW, found)).isTrue();
    }
    assertThat(
            database.number("SELECT high FROM outledger_subscription WHERE subscription = 'late'"))
        .isEqualTo(12);
    assertThat(database.number("SELECT count(*) FROM outledger_hole")).isZero();
  }

  private void appendWithAHole() throws SQLException {
    database.execute(StoreDatabase.append(5));
    database.execute("BEGIN; " + StoreDatabase.append(2) + "; ROLLBACK");
    database.execute(StoreDatabase.append(5));
  }

  private void purge() {
    assertThat(
            Retention.of(database.dataSource(), "public", InboxRetention.DEFAULT)
                .purgeMessages(Duration.ZERO))
        .isEqualTo(10);
  }
}
