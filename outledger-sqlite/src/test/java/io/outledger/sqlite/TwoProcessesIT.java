// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.sql.Sql;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One process writes, and is killed again and again; another one relays. */
class TwoProcessesIT {

  private static final Duration SOON = Duration.ofMinutes(1);
  private static final int KILLS = 5;
  private static final int A_ROUND = 200;

  @Test
  void nothingThatWasCommittedIsLostAndNothingElseIsPublished() throws SQLException {
    RecordingPublisher publisher = new RecordingPublisher();
    try (TestSqlite database = TestSqlite.create()) {
      database.execute(WriterMain.EFFECTS);
      try (Outledger outledger = Outledger.builder(database.dataSource()).build();
          RunningRelay relay = outledger.relay("effects").to(publisher).start()) {
        for (int kill = 1; kill <= KILLS; kill++) {
          killAfter(database, effects(database).size() + A_ROUND);
        }
        Set<String> effects = new HashSet<>(effects(database));
        Await.until(
            () -> effects.size() + " are published, now " + published(publisher).size(),
            SOON,
            () -> published(publisher).size() >= effects.size());
        assertThat(published(publisher)).isEqualTo(effects);
        assertThat(effects).hasSizeGreaterThanOrEqualTo(KILLS * A_ROUND);
        assertThat(relay.state()).isNotNull();
      }
    }
  }

  private static void killAfter(TestSqlite database, int effects) {
    try (ChildJvm writer = ChildJvm.of(WriterMain.class).args(database.file().toString()).start()) {
      Await.until(
          () -> effects + " effects are committed",
          SOON,
          () -> effects(database).size() >= effects);
      writer.kill();
    }
  }

  private static List<String> effects(TestSqlite database) throws SQLException {
    try (Connection connection = database.connect()) {
      return Sql.of(connection, "SELECT e.id FROM effect e").rows(row -> row.getString(1));
    }
  }

  private static Set<String> published(RecordingPublisher publisher) {
    return publisher.messages().stream()
        .map(Message::id)
        .map(Object::toString)
        .collect(Collectors.toSet());
  }
}
