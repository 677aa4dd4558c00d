// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Somebody inserts position 1 by hand while the relay has long been beyond it. */
class ChosenPositionIT {

  private static final String LOW =
      """
      INSERT INTO outledger_message (position, time, id, version, topic, type, payload)
      VALUES (1, now(), gen_random_uuid(), 1, 'orders', 'order.placed', 'chosen')\
      """;

  @Test
  void writerWithTheDocumentedRightsIsRefused() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    DocumentedRights rights = DocumentedRights.of("the application (outbox)");
    try (Connection writer = rights.grantedIn(database, "writer").getConnection();
        Statement statement = writer.createStatement()) {
      assertThatThrownBy(() -> statement.execute(LOW)).hasMessageContaining("permission denied");
      statement.execute(LOW.replace("(position, ", "(").replace("(1, ", "("));
    }
    assertThat(database.query("SELECT position FROM outledger_message")).containsExactly("1");
  }

  /** As the document on the schema says. */
  @Test
  void ownersLowPositionIsNotPublishedAndTheRelayGoesOn() throws SQLException {
    try (StoreBench bench = new StoreBench();
        Connection ghost = bench.begin()) {
      bench.append(ghost, "ghost", 1, 1);
      bench.append("k", 2, 100);
      ghost.rollback();
      Relay relay = bench.relay();
      bench.steps(relay, 5);
      assertThat(bench.published()).hasSize(99);
      assertThat(bench.events(RelayEvent.HolesDropped.class)).hasSize(1);
      bench.database.execute(LOW);
      bench.append("k", 101, 101);
      for (int i = 0; i < 20; i++) {
        bench.steps(relay, 1);
        bench.clock.advance(Duration.ofSeconds(3));
      }
      assertThat(bench.published()).hasSize(100).endsWith("k101").doesNotContain("chosen");
      assertThat(bench.database.query("SELECT position FROM outledger_pending")).isEmpty();
    }
  }
}
