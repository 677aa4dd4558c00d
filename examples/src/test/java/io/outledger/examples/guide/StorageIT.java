// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import java.sql.SQLException;
import java.util.Collections;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What docs/storage.md says of a message's size is what a ledger takes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StorageIT {

  private static final DocumentedSql PAGE = DocumentedSql.of("storage.md");
  private static final int MESSAGES = 10_000;
  private static final int HEADER_NAME_AND_SIGN = 2;

  private final MovingDatabase database;

  StorageIT() throws SQLException {
    database = new MovingDatabase("home-made.sql");
  }

  @AfterAll
  void close() {
    database.close();
  }

  @ParameterizedTest(name = "payload {0}, topic {1}, key {2}, type {3}, headers {4}")
  @CsvSource({
    "200, 6, 8, 12, 0",
    "50, 6, 8, 12, 0",
    "1000, 6, 36, 12, 0",
    "1500, 20, 36, 30, 80",
    "100, 6, 0, 12, 60",
    "600, 10, 10, 10, 0"
  })
  void theFormulaHolds(int payload, int topic, int key, int type, int headers) throws Exception {
    String formula =
        PAGE.block("Estimate")
            .replace(
                "(200, 6, 8, 12, 0)",
                "(%d, %d, %d, %d, %d)".formatted(payload, topic, key, type, headers));
    Message.Builder message =
        Message.to("t".repeat(topic), "y".repeat(type)).payload(new byte[payload]);
    if (key > 0) {
      message.key("k".repeat(key));
    }
    if (headers > 0) {
      message.header("h", "v".repeat(headers - HEADER_NAME_AND_SIGN));
    }

    database.execute("TRUNCATE outledger_message");
    database
        .outledger()
        .outbox()
        .inNewTransaction(Collections.nCopies(MESSAGES, message.build()).toArray());
    double estimated = Double.parseDouble(database.column(formula).get(0));
    double measured = Double.parseDouble(database.column(PAGE.block("Measure")).get(0));

    assertThat(measured).isCloseTo(estimated, Percentage.withPercentage(3));
  }

  @Test
  void theLedgerMovesToAnotherTablespace() throws Exception {
    database.execute(PAGE.block("Move"));
    database.outledger().outbox().inNewTransaction(Message.to("orders", "order.placed").build());
    assertThat(
            database.column(
                "SELECT count(*) FROM pg_index i WHERE i.indrelid = 'outledger_message'::regclass"))
        .as("indexes of the ledger, all of which the page names")
        .containsExactly("1");
  }
}
