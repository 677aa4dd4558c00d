// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The steps of docs/moving/home-made-table.md. */
class HomeMadeTableIT {

  private static final String UNSENT = "SELECT id FROM outbox WHERE sent_at IS NULL ORDER BY seq";
  private static final DocumentedSql PAGE = DocumentedSql.of("moving/home-made-table.md");

  private final MovingDatabase database;

  HomeMadeTableIT() throws SQLException {
    database = new MovingDatabase("home-made.sql");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void everyMessageIsPublishedOnceInItsOrderOverTheSwitch() throws Exception {
    List<String> sent = insertOld(3);
    database.execute("UPDATE outbox SET sent_at = now()");
    List<String> expected = new ArrayList<>(insertOld(4));

    database.execute(PAGE.block("Switch"));
    expected.addAll(insertOld(2));
    expected.add(append());
    expected.addAll(insertOld(1));

    assertThat(database.column(UNSENT)).isEmpty();
    assertThat(database.published())
        .containsExactlyElementsOf(expected)
        .doesNotContainAnyElementsOf(sent);
    database.execute(PAGE.block("Finish"));
    insertOld(1);
    assertThat(database.published()).isEmpty();
  }

  @Test
  void theSwitchGivesUpBesideAnOpenWriterAndOverlooksNothing() throws Exception {
    String impatient = PAGE.block("Switch").replace("'5s'", "'50ms'");

    try (Connection writer = database.connection()) {
      writer.setAutoCommit(false);
      MovingDatabase.execute(writer, "INSERT INTO outbox (key, payload) VALUES ('k', '{}')");
      assertThatThrownBy(() -> database.execute(impatient)).hasMessageContaining("lock timeout");
      writer.commit();
    }
    database.execute(impatient);

    assertThat(database.published()).hasSize(1);
  }

  @Test
  void theWayBackMovesWhatWaitsAndTheSwitchCanBeRepeated() throws Exception {
    database.execute(PAGE.block("Switch"));
    insertOld(2);
    List<String> published = database.published();
    List<String> waiting = new ArrayList<>(insertOld(2));
    waiting.add(append());
    waiting.addAll(insertOld(1));

    database.execute(PAGE.block("Go back"));

    assertThat(database.column(UNSENT)).containsExactlyElementsOf(waiting);
    database.outledger().subscriptions().skip("kafka", Start.NOW);
    database.execute("UPDATE outbox SET sent_at = now()");
    List<String> later = insertOld(2);
    database.execute(PAGE.block("Switch"));
    assertThat(database.published())
        .containsExactlyElementsOf(later)
        .doesNotContainAnyElementsOf(published);
  }

  /** Inserts as the old code does, and returns the ids. */
  private List<String> insertOld(int rows) throws SQLException {
    List<String> ids = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      ids.addAll(
          database.column(
              "INSERT INTO outbox (key, payload) VALUES ('k', '{\"cents\":1}') RETURNING id"));
    }
    return ids;
  }

  private String append() {
    List<UUID> ids =
        database
            .outledger()
            .outbox()
            .inNewTransaction(Message.to("orders", "order.placed").key("k").build());
    return ids.get(0).toString();
  }
}
