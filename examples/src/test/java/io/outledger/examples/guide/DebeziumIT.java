// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The steps of docs/moving/debezium.md, without Debezium: a row is what it would publish. */
class DebeziumIT {

  private static final DocumentedSql PAGE = DocumentedSql.of("moving/debezium.md");
  private static final String REAL =
      "SELECT id FROM outbox WHERE aggregatetype <> 'moved' ORDER BY ctid";

  private final MovingDatabase database;

  DebeziumIT() throws SQLException {
    database = new MovingDatabase("debezium.sql");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void everyRowIsEitherDebeziumsOrInTheLedger() throws Exception {
    List<String> before = insert(3);
    database.execute(PAGE.block("Switch"));
    List<String> after = insert(3);

    assertThat(database.column(REAL)).containsExactlyElementsOf(before);
    assertThat(database.published()).containsExactlyElementsOf(after);
    assertThat(
            database.column(
                "SELECT concat_ws(' ', topic, message_key, type, payload, headers)"
                    + " FROM outledger_readable"
                    + " ORDER BY position LIMIT 1"))
        .containsExactly("outbox.event.order o-1 order.placed {\"cents\": 1} id=" + after.get(0));
  }

  @Test
  void theWayBackGivesDebeziumWhatWaits() throws Exception {
    database.execute(PAGE.block("Switch"));
    insert(1);
    database.published();
    List<String> waiting = insert(2);

    database.execute(PAGE.block("Go back"));
    List<String> later = new ArrayList<>(waiting);
    later.addAll(insert(1));

    assertThat(database.column(REAL)).containsExactlyElementsOf(later);
    assertThat(
            database.column("SELECT aggregatetype FROM outbox WHERE id = '" + waiting.get(0) + "'"))
        .containsExactly("order");
  }

  @Test
  void thePlaceInTheLogCanBeComparedWithThatOfASlot() throws Exception {
    String place = database.column(PAGE.block("Where the log ends")).get(0);

    assertThat(database.column(PAGE.block("Confirmed").replace("0/1000000", place))).isEmpty();
  }

  private List<String> insert(int rows) throws SQLException {
    List<String> ids = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      ids.addAll(
          database.column(
              "INSERT INTO outbox (aggregatetype, aggregateid, type, payload)"
                  + " VALUES ('order', 'o-1', 'order.placed', '{\"cents\":1}') RETURNING id"));
    }
    return ids;
  }
}
